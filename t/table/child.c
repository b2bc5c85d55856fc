#include "child.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool
child_start(struct child *child, const char *const *words)
{
	int in[2], out[2];

	/* Closed in other children, which would keep it open. */
	if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
		return false;
	child->pid = fork();
	if (child->pid < 0)
		return false;
	if (child->pid == 0) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		execvp(words[0], (char *const *)words);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	child->in = fdopen(in[1], "w");
	child->out = fdopen(out[0], "r");
	return child->in != NULL && child->out != NULL;
}

bool
child_line(struct child *child, char *line, size_t size)
{
	if (fgets(line, (int)size, child->out) == NULL)
		return false;
	line[strcspn(line, "\n")] = '\0';
	return true;
}

void
child_end(struct child *child)
{
	fclose(child->in);
	waitpid(child->pid, NULL, 0);
	fclose(child->out);
}
