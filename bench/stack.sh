# Sourced by the scripts here, in the top directory: processes that end with the script, nginx in front of a
# socket, and what CPU they use. Needs build/server.

PATH=$PATH:/usr/sbin
run=$(mktemp -d "${TMPDIR:-/tmp}/broadsheet.XXXXXX")
pids=()
finish() {
	for pid in "${pids[@]}"; do
		kill -TERM "$pid" 2>/dev/null || true
	done
	wait
	rm -rf "$run"
}
trap finish EXIT
trap 'exit 1' INT TERM

wait_for() {
	for _ in $(seq 200); do
		"$@" 2>/dev/null && return
		sleep 0.05
	done
	echo "run: waited in vain for: $*" >&2
	cat "$run"/log.* >&2
	exit 1
}
answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1"); }

# start NAME COMMAND...: in the background; its process is then $started.
start() {
	local name=$1
	shift
	setpriv --pdeathsig TERM "$@" 2>"$run/log.$name" &
	started=$!
	pids+=("$started")
}

# start_nginx NAME SOCKET [OPTION...]: its address is then ${url[NAME]}.
declare -A url nginx program
next_port=18800
start_nginx() {
	local name=$1 socket=$2
	shift 2
	while answers "$next_port" 2>/dev/null; do next_port=$((next_port + 1)); done
	mkdir "$run/nginx.$name"
	script/nginx-config "$run/nginx.$name" "$socket" "$next_port" "$@"
	sed -i "s|broadsheet_files .*;|broadsheet_files $run/files;|" "$run/nginx.$name/nginx.conf"
	sed -i '/^limit_req zone/d' "$run/nginx.$name/broadsheet/broadsheet_locations.conf"
	start "nginx.$name" nginx -e stderr -p "$run/nginx.$name" -c nginx.conf
	nginx[$name]=$started
	wait_for answers "$next_port"
	url[$name]=http://127.0.0.1:$next_port
}

# start_broadsheet NAME DATABASE [SETTING=VALUE...]: behind nginx; ${program[NAME]} is its supervisor.
start_broadsheet() {
	local name=$1 database=$2
	shift 2
	start "$name" env BROADSHEET_STORE="sqlite:$database" BROADSHEET_TEMPLATES="$PWD/templates" \
		BROADSHEET_STATIC="$PWD/static" "$@" build/server/broadsheet serve --socket "$run/$name"
	program[$name]=$started
	wait_for test -S "$run/$name"
	start_nginx "$name" "$run/$name"
}

# load_seed DATABASE
load_seed() {
	mkdir -p "$(dirname "$1")"
	BROADSHEET_STORE=sqlite:$1 build/server/broadsheet seed --if-empty migrations-free-seed >/dev/null
}

# cpu PID: the microseconds that it and its children have used so far.
cpu() {
	local pid
	for pid in "$1" $(pgrep -P "$1"); do cat "/proc/$pid/stat"; done |
		sed 's/.*) //' | awk -v hz="$(getconf CLK_TCK)" '{ n += $12 + $13 } END { print n * 1000000 / hz }'
}
