// SPDX-License-Identifier: GPL-2.0

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "attr.h"

#define ARGUMENTS_MAX	16
#define KILLED_MS	2000	/* that the kernel may take to end a program */
#define OUTPUT_MAX	(16u << 20)	/* a list of rules of a packet filter has no natural end */

/** clock_ms() - milliseconds of a clock that nobody sets */
long clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000L + now.tv_nsec / 1000000;
}

/*
 * In a child: @out is its standard output, or -1 to share ours, @err what becomes of its
 * messages then, or -1 for nothing; its input is empty.
 */
static void become(char *const argv[], int out, int err)
{
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	/* A signal that we wait for at one place alone still ends another program, and this one before. */
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(null, STDIN_FILENO);
	if (out >= 0) {
		dup2(out, STDOUT_FILENO);
		dup2(err < 0 ? null : err, STDERR_FILENO);
	}
	execvp(argv[0], argv);
	_exit(COMMAND_MISSING);
}

/* Read until the end of file, or until the clock is at @end; false if it got there. */
static bool drain(int fd, FILE *into, long end)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	char buffer[4096];
	size_t all = 0;
	ssize_t got;

	for (;;) {
		long left = end - clock_ms();

		if (left <= 0 || all > OUTPUT_MAX || poll(&wait, 1, left) == 0)
			return false;
		got = read(fd, buffer, sizeof(buffer));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return true;
		fwrite(buffer, 1, got, into);
		all += got;
	}
}

/*
 * The exit code of a child, which is killed at @end, with its own children if it leads a group.
 * If the kernel holds it, it is left behind.
 */
static int reap(pid_t pid, long end)
{
	struct timespec pause = { .tv_nsec = 10000000 };
	bool killed = false;
	int status;

	while (waitpid(pid, &status, WNOHANG) != pid) {
		if (clock_ms() >= end && killed)
			return COMMAND_TIMEOUT;
		if (clock_ms() >= end) {
			kill(getpgid(pid) == pid ? -pid : pid, SIGKILL);
			killed = true;
			end += KILLED_MS;
		}
		nanosleep(&pause, NULL);
	}
	if (killed)
		return COMMAND_TIMEOUT;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/** command_folder() - the folder of this program, to free */
char *command_folder(void)
{
	CLEANUP_FREE char *self = realpath("/proc/self/exe", NULL);

	return text_copy(self ? dirname(self) : "/usr/bin");
}

/**
 * command_path() - find modinfo, nft and ip, whose folder a user's PATH may lack, and farmemd:
 * beside this program as in build/, or where `make install` puts it, in ../sbin
 */
void command_path(void)
{
	const char *before = getenv("PATH");
	CLEANUP_FREE char *own = command_folder();
	CLEANUP_FREE char *path = text_format("%s%s%s:%s/../sbin:/usr/sbin:/sbin",
					      before ? before : "/usr/bin:",
					      before && *before ? ":" : "", own, own);

	setenv("PATH", path, true);
}

/* Its output goes to @into; it ends when it closes that, or is ended. */
static int run_into(char *const argv[], unsigned int seconds, FILE *into, bool messages)
{
	long end = clock_ms() + seconds * 1000L;
	bool ended;
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return COMMAND_MISSING;
	pid = fork();
	if (!pid)
		become(argv, ends[1], messages ? ends[1] : -1);
	close(ends[1]);
	ended = pid > 0 && drain(ends[0], into, end);
	close(ends[0]);
	if (pid < 0)
		return COMMAND_MISSING;
	return reap(pid, ended ? end : clock_ms());
}

static int run_for_text(char *const argv[], unsigned int seconds, char **output, bool messages)
{
	size_t length;
	FILE *into = open_memstream(output, &length);
	int rc;

	if (!into) {
		*output = text_copy("");
		return COMMAND_MISSING;
	}
	rc = run_into(argv, seconds, into, messages);
	fclose(into);
	return rc;
}

/**
 * command_ask() - run a program for its output, without a shell
 * @output: its standard output, to free; never NULL
 * @seconds: so long it may take
 * @program: found by PATH; its arguments follow, then NULL
 *
 * Return: its exit code, 128 and more after a signal, COMMAND_MISSING or COMMAND_TIMEOUT.
 */
int command_ask(char **output, unsigned int seconds, const char *program, ...)
{
	char *argv[ARGUMENTS_MAX + 1] = { (char *)program };
	va_list ap;
	int i = 0;

	va_start(ap, program);
	while (argv[i] && ++i < ARGUMENTS_MAX)
		argv[i] = va_arg(ap, char *);
	va_end(ap);
	return run_for_text(argv, seconds, output, false);
}

/**
 * command_listen() - run a program for what it does, and keep what it says of that
 * @output: its standard output and its messages, as they came, to free; never NULL
 *
 * Return: as command_ask().
 */
int command_listen(char *const argv[], unsigned int seconds, char **output)
{
	return run_for_text(argv, seconds, output, true);
}

/**
 * command_start() - run a program for what it does, and go on; the user sees its output
 * @flags: COMMAND_ASIDE and COMMAND_GROUP
 *
 * Return: its process, which is the caller's to wait for, or -1.
 */
pid_t command_start(char *const argv[], unsigned int flags)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid)
		return pid;
	if (flags & COMMAND_GROUP)
		setpgid(0, 0);
	if (flags & COMMAND_ASIDE)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	become(argv, -1, -1);
	_exit(COMMAND_MISSING);
}

/**
 * command_end() - ask a program of command_start() to end, and end it if it does not
 * @seconds: that it has for that
 */
void command_end(pid_t pid, unsigned int seconds)
{
	kill(pid, SIGTERM);
	reap(pid, clock_ms() + seconds * 1000L);
}

/**
 * command_run() - run a program for what it does; the user sees its output
 * @flags: COMMAND_ASIDE and COMMAND_GROUP
 *
 * Return: as command_ask().
 */
int command_run(char *const argv[], unsigned int seconds, unsigned int flags)
{
	pid_t pid = command_start(argv, flags);

	return pid < 0 ? COMMAND_MISSING : reap(pid, clock_ms() + seconds * 1000L);
}

static bool is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789@%+=:,./-_";

	return *word && !word[strspn(word, plain)];
}

/* A word as a shell takes it. */
static void quote(FILE *out, const char *word)
{
	if (is_plain(word)) {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}

/** command_text() - a command as it is typed into a shell: one line, to free */
char *command_text(char *const argv[])
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	int i;

	if (!out)
		return text_copy("");
	for (i = 0; argv[i]; i++) {
		if (i)
			fputc(' ', out);
		quote(out, argv[i]);
	}
	fclose(out);
	return text;
}
