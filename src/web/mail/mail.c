#include "web/mail/mail.h"

#include "base/arena.h"
#include "base/log.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct job {
	mail_writer *write;
	char about[MAIL_ABOUT_MAX];
	size_t len;
};

struct mailer {
	struct mail_transport transport;
	struct site *site;
	const struct log *log;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	struct job jobs[MAIL_QUEUE_MAX]; /* a ring */
	size_t first, count;             /* the first one stays until it is done */
	bool stop;
};

static void
do_job(struct mailer *m, const struct job *job, struct arena *arena)
{
	struct mail mail;
	const char *why;

	if (!job->write(m->site, arena, (struct str){job->about, job->len}, &mail))
		return;
	why = m->transport.send(&m->transport, &mail, arena);
	if (why != NULL)
		log_line(m->log, LOG_WARNING, "A letter could not be sent: %s.", why);
}

static void *
run(void *context)
{
	struct mailer *m = context;
	struct arena *arena = arena_new();
	struct job job;

	pthread_mutex_lock(&m->mutex);
	while (!m->stop) {
		if (m->count == 0) {
			pthread_cond_wait(&m->changed, &m->mutex);
			continue;
		}
		job = m->jobs[m->first];
		pthread_mutex_unlock(&m->mutex);
		do_job(m, &job, arena);
		arena_reset(arena);
		pthread_mutex_lock(&m->mutex);
		assert(m->count > 0 && m->count <= MAIL_QUEUE_MAX);
		m->first = (m->first + 1) % MAIL_QUEUE_MAX;
		m->count--;
		pthread_cond_broadcast(&m->changed);
	}
	if (m->count != 0)
		log_line(m->log, LOG_WARNING, "%zu letters were not sent.", m->count);
	pthread_mutex_unlock(&m->mutex);
	arena_free(arena);
	return NULL;
}

/* Starts the thread with all signals blocked: they are for those who wait for them. */
static int
start_thread(struct mailer *m)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&m->thread, NULL, run, m);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

static void
end(struct mailer *m)
{
	pthread_cond_destroy(&m->changed);
	pthread_mutex_destroy(&m->mutex);
	free(m);
}

struct mailer *
mailer_start(const struct mail_transport *transport, struct site *site, const struct log *log)
{
	struct mailer *m = calloc(1, sizeof(*m));
	int error;

	if (m == NULL)
		out_of_memory();
	m->transport = *transport;
	m->site = site;
	m->log = log;
	pthread_mutex_init(&m->mutex, NULL);
	pthread_cond_init(&m->changed, NULL);
	error = start_thread(m);
	if (error == 0)
		return m;
	log_line(log, LOG_WARNING, "No thread to send mail with: %s.", strerror(error));
	end(m);
	return NULL;
}

void
mailer_stop(struct mailer *m)
{
	if (m == NULL)
		return;
	pthread_mutex_lock(&m->mutex);
	m->stop = true;
	pthread_cond_broadcast(&m->changed);
	pthread_mutex_unlock(&m->mutex);
	pthread_join(m->thread, NULL);
	end(m);
}

bool
mailer_ask(struct mailer *m, mail_writer *write, struct str about)
{
	struct job *job;
	bool room;

	if (about.len > MAIL_ABOUT_MAX)
		return false;
	pthread_mutex_lock(&m->mutex);
	room = m->count < MAIL_QUEUE_MAX;
	if (room) {
		job = &m->jobs[(m->first + m->count) % MAIL_QUEUE_MAX];
		job->write = write;
		job->len = about.len;
		if (about.len != 0)
			memcpy(job->about, about.base, about.len);
		m->count++;
		pthread_cond_broadcast(&m->changed);
	}
	pthread_mutex_unlock(&m->mutex);
	return room;
}

void
mailer_rest(struct mailer *m)
{
	pthread_mutex_lock(&m->mutex);
	while (m->count != 0)
		pthread_cond_wait(&m->changed, &m->mutex);
	pthread_mutex_unlock(&m->mutex);
}
