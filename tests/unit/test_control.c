// SPDX-License-Identifier: GPL-2.0
/* test_control.c - which process may have the control socket */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "control.h"
#include "stubs.h"

static char path[64], lock[80];
static struct server server;

static int start(void **state)
{
	snprintf(path, sizeof(path), "/tmp/farmem-unit-%d.sock", getpid());
	snprintf(lock, sizeof(lock), "%s.lock", path);
	stub_server(&server, 8, 1 << 20);
	free(server.opt.control);
	server.opt.control = strdup(path);
	return sd_event_new(&server.event) < 0;
}

static int end(void **state)
{
	control_close(&server);
	sd_event_unref(server.event);
	stub_server_free(&server);
	unlink(lock);
	return 0;
}

/* A process that has the lock, for that many microseconds more. */
static pid_t hold_lock(unsigned int usec)
{
	int ready[2];
	pid_t child;
	char byte;
	int fd;

	assert_int_equal(pipe(ready), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		fd = open(lock, O_RDWR | O_CREAT, 0600);
		if (fd < 0 || flock(fd, LOCK_EX) || write(ready[1], "", 1) != 1)
			_exit(1);
		usleep(usec);
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return child;
}

static void a_farmemd_that_is_ending_is_waited_for(void **state)
{
	pid_t child = hold_lock(500000);

	assert_int_equal(control_open(&server), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

static void one_that_goes_on_is_not_waited_for_without_end(void **state)
{
	pid_t child = hold_lock(600000000);

	assert_int_equal(control_open(&server), -EADDRINUSE);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

/* Of a folder that gives its group: what farmem-agent gets. */
static void the_status_socket_is_for_a_group(void **state)
{
	char folder[] = "/tmp/farmem-unit-XXXXXX", status[64], status_lock[80];
	gid_t group = getgid();
	struct stat st;

	assert_non_null(mkdtemp(folder));
	if (!geteuid())
		group++;
	assert_int_equal(chown(folder, -1, group), 0);
	assert_int_equal(chmod(folder, 02750), 0);
	snprintf(status, sizeof(status), "%s/s", folder);
	snprintf(status_lock, sizeof(status_lock), "%s.lock", status);
	server.opt.status_socket = strdup(status);
	assert_int_equal(control_open(&server), 0);
	assert_int_equal(stat(status, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0660);
	assert_int_equal(st.st_gid, group);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	control_close(&server);
	assert_int_equal(stat(status, &st), -1);
	unlink(status_lock);
	assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_farmemd_that_is_ending_is_waited_for, start, end),
		cmocka_unit_test_setup_teardown(one_that_goes_on_is_not_waited_for_without_end,
						start, end),
		cmocka_unit_test_setup_teardown(the_status_socket_is_for_a_group, start, end),
	};

	return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}
