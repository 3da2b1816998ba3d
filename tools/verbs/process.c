// SPDX-License-Identifier: GPL-2.0
/*
 * Several client processes, and four ways to share:
 *
 *   none    each process has its own context of the device, and its own memory.
 *   fork    the first process registers its memory, and then forks the others.  After a
 *           fork, the first writer to a page gets a copy; were it this process, its
 *           adapter would go on with the old page.  Since Linux 5.12 the kernel copies
 *           pinned pages for the child when it forks, so the parent keeps its own; before,
 *           ibv_fork_init(), called before all else, had registered pages left out of
 *           children (MADV_DONTFORK).  ibv_is_fork_initialized() tells which it is:
 *           IBV_FORK_UNNEEDED, or IBV_FORK_ENABLED.
 *   shm     all have one buffer in shared memory; each registers it for itself, by its own
 *           context, and works in a slice.  The parent, which registers nothing, checks
 *           what the adapters have brought.
 *   import  one process opens the device, allocates the protection domain and registers
 *           the buffer.  It hands the context's file descriptor over a socket to the
 *           others, which import all three and register nothing.
 *
 * A context, and what hangs from it, belongs to the process that opened it: a child never
 * uses its parent's.
 */
#include "process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"
#include "data.h"
#include "trouble.h"

/**
 * struct crew - the processes, as the parent sees them
 * @options: of the run
 * @owner: the process that others import from, or fork from; else NULL
 * @buffer: in shared memory, of all processes; NULL: none
 * @slice: bytes of it for each
 * @count: children
 * @pid: their ids
 * @result: where their rows come from
 */
struct crew {
	const struct options *options;
	struct client *owner;
	uint8_t *buffer;
	size_t slice;
	unsigned int count;
	pid_t pid[PROCESSES_MAX];
	int result[PROCESSES_MAX];
};

/**
 * struct handed - what is handed over with the context's file descriptor
 * @pd: handle of the protection domain, in that context
 * @mr: handle of the registration
 * @port: of the device
 * @gid_index: row of the port's table; the same GID may be there twice
 * @gid: what is in it
 */
struct handed {
	uint32_t pd, mr;
	unsigned int port, gid_index;
	union ibv_gid gid;
};

static int map_buffer(struct crew *crew)
{
	struct memory plan;
	int fd;

	memory_plan(&plan, crew->options);
	crew->slice = plan.length;
	fd = memfd_create("farmem-verbs", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, crew->slice * crew->options->processes))
		return trouble_errno("making shared memory");
	crew->buffer = mmap(NULL, crew->slice * crew->options->processes, PROT_READ | PROT_WRITE,
			    MAP_SHARED, fd, 0);
	close(fd);
	if (crew->buffer != MAP_FAILED)
		return 0;
	crew->buffer = NULL;
	return trouble_errno("mapping shared memory");
}

static void use_slice(const struct crew *crew, struct client *client)
{
	struct memory *memory = &client->session.memory;

	memory_plan(memory, &client->options);
	memory->start = crew->buffer + crew->slice * client->process;
	memory->given = true;
}

/* A file descriptor goes along with a message, and becomes one of the receiver's own. */
static int hand_over(int socket, int fd, const struct handed *handed)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control = { .header = {
		.cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
		.cmsg_len = CMSG_LEN(sizeof(int)),
	} };
	struct iovec data = { .iov_base = (void *)handed, .iov_len = sizeof(*handed) };
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};

	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	return sendmsg(socket, &message, MSG_NOSIGNAL) == sizeof(*handed)
		       ? 0 : trouble_errno("handing the device over");
}

static int take_over(int socket, struct handed *handed)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec data = { .iov_base = handed, .iov_len = sizeof(*handed) };
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	int fd;

	if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != sizeof(*handed) ||
	    message.msg_controllen < CMSG_LEN(sizeof(int)) ||
	    control.header.cmsg_type != SCM_RIGHTS)
		return trouble("the device was not handed over: the first process failed");
	memcpy(&fd, CMSG_DATA(&control.header), sizeof(fd));
	return fd;
}

static int explain_import(const char *what, const char *device)
{
	if (errno == EOPNOTSUPP || errno == ENOSYS)
		trouble_refuse("the driver of %s cannot import %s of another process: it keeps its state in the process that opened the device; the driver of mlx5 can",
			       device, what);
	else
		trouble_errno("importing %s of another process", what);
	trouble_advice("--share shm: each process opens the device itself, and registers the shared buffer");
	return -1;
}

/* The context, the protection domain and the registration of another process. */
static int import(struct client *client, int socket)
{
	const char *name = client->session.device.name;
	struct session *session = &client->session;
	struct ibv_context *context;
	struct handed handed;
	int fd = take_over(socket, &handed);

	if (fd < 0)
		return -1;
	context = ibv_import_device(fd);
	if (!context) {
		explain_import("the context", *name ? name : "this device");
		close(fd);
		return -1;
	}
	session->device.own = true;
	if (device_adopt(&session->device, context, handed.port, &handed.gid))
		return -1;
	session->device.gid_index = handed.gid_index;
	session->pd = ibv_import_pd(context, handed.pd);
	if (!session->pd)
		return explain_import("the protection domain", name);
	session->pd_imported = true;
	session->memory.mr = ibv_import_mr(session->pd, handed.mr);
	if (!session->memory.mr)
		return explain_import("the registration", name);
	session->memory.mr_imported = true;
	return 0;
}

/* What is imported knows no addresses: they are the same in all, by inheritance. */
static int lend(const struct crew *crew, int socket)
{
	const struct session *session = &crew->owner->session;
	struct handed handed = {
		.pd = session->pd->handle,
		.mr = session->memory.mr->handle,
		.port = session->device.port,
		.gid_index = session->device.gid_index,
		.gid = session->device.gid,
	};
	int rc = hand_over(socket, session->device.context->cmd_fd, &handed);

	/* Nothing more comes: a child that got nothing is not to wait for it. */
	shutdown(socket, SHUT_WR);
	return rc;
}

static int run_child(const struct crew *crew, unsigned int process, int socket)
{
	struct client *client = client_new(crew->options, process);
	ssize_t size;
	int rc = 0;

	if (!client)
		return RC_FAILURE;
	/* A process that is killed shall not leave children that go on. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (crew->buffer)
		use_slice(crew, client);
	if (crew->options->share == SHARE_IMPORT) {
		snprintf(client->session.device.name, sizeof(client->session.device.name), "%s",
			 crew->owner->session.device.name);
		rc = import(client, socket);
	}
	if (!rc)
		rc = client_begin(client);
	if (!rc)
		rc = client_go(client);
	size = client->count * sizeof(client->rows[0]);
	if (write(socket, client->rows, size) != size && !rc)
		rc = trouble_errno("reporting what was measured");
	return trouble_exit(client_end(client, rc));
}

static int start_child(struct crew *crew, unsigned int process)
{
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return trouble_errno("socketpair");
	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(pair[0]);
		exit(run_child(crew, process, pair[1]));
	}
	close(pair[1]);
	if (pid < 0) {
		close(pair[0]);
		return trouble_errno("fork");
	}
	crew->pid[crew->count] = pid;
	crew->result[crew->count++] = pair[0];
	if (crew->options->share == SHARE_IMPORT)
		return lend(crew, pair[0]);
	return 0;
}

/* A process that others fork from, or import from, comes first. */
static int start_owner(struct crew *crew)
{
	const struct options *options = crew->options;

	if (options->share != SHARE_FORK && options->share != SHARE_IMPORT)
		return 0;
	errno = ibv_fork_init();
	if (errno)
		return trouble_errno("ibv_fork_init");
	crew->owner = client_new(options, 0);
	if (!crew->owner)
		return -1;
	if (crew->buffer) {
		/* One registration, of all slices. */
		use_slice(crew, crew->owner);
		crew->owner->session.memory.registered = crew->slice * options->processes;
	}
	return client_begin(crew->owner);
}

static int start(struct crew *crew)
{
	unsigned int process;

	if ((crew->options->share == SHARE_SHM || crew->options->share == SHARE_IMPORT) &&
	    map_buffer(crew))
		return -1;
	if (start_owner(crew))
		return -1;
	for (process = !!crew->owner; process < crew->options->processes; process++)
		if (start_child(crew, process))
			return -1;
	return 0;
}

/* All that a child has measured; the end of the file is its end. */
static size_t read_rows(int fd, struct row *rows)
{
	size_t size = 0;
	ssize_t got;

	while ((got = read(fd, (char *)rows + size, ROWS_MAX * sizeof(*rows) - size)) > 0)
		size += got;
	return size / sizeof(*rows);
}

/* Wait for all; the exit code of the first that failed. */
static int collect(struct crew *crew, struct row *rows, size_t *count)
{
	int status, rc = RC_OK;
	unsigned int i;

	for (i = 0; i < crew->count; i++) {
		*count += read_rows(crew->result[i], rows + *count);
		close(crew->result[i]);
		if (waitpid(crew->pid[i], &status, 0) < 0 || !WIFEXITED(status))
			status = W_EXITCODE(RC_FAILURE, 0);
		if (!rc)
			rc = WEXITSTATUS(status);
	}
	return rc;
}

/*
 * What the adapters of all processes have READ into the shared buffer, as this process
 * sees it, which never had anything to do with any adapter.
 */
static int check_buffer(const struct crew *crew, const struct row *last)
{
	const struct options *options = crew->options;
	struct client *client;
	unsigned int process;
	int rc = 0;

	if (options->share != SHARE_SHM || !options->verify || options->op != OP_READ)
		return 0;
	for (process = 0; process < options->processes && !rc; process++) {
		client = client_new(options, process);
		if (!client)
			return -1;
		use_slice(crew, client);
		rc = data_check_slice(&client->session, last->rounds, last->size);
		free(client);
	}
	if (!rc && !options->json)
		fprintf(stderr, "the parent found what %u processes have READ into shared memory\n",
			options->processes);
	return rc;
}

/* An exit code. */
static int run_crew(const struct options *options, struct row *rows, size_t *count)
{
	struct crew crew = { .options = options };
	int rc, worst;

	rc = start(&crew);
	if (crew.owner) {
		/* The children have forked: now it writes to its memory, and uses it. */
		if (!rc)
			rc = client_go(crew.owner);
		*count = crew.owner->count;
		memcpy(rows, crew.owner->rows, *count * sizeof(*rows));
	}
	worst = collect(&crew, rows, count);
	/* What it has lent stays until nobody uses it any more. */
	if (crew.owner)
		rc = client_end(crew.owner, rc);
	if (!rc && !worst && *count)
		rc = check_buffer(&crew, &rows[*count - 1]);
	if (crew.buffer)
		munmap(crew.buffer, crew.slice * options->processes);
	return rc ? trouble_exit(rc) : worst;
}

static int run_alone(const struct options *options, struct row *rows, size_t *count)
{
	struct client *client = client_new(options, 0);
	int rc;

	if (!client)
		return RC_FAILURE;
	rc = client_begin(client);
	if (!rc)
		rc = client_go(client);
	*count = client->count;
	memcpy(rows, client->rows, *count * sizeof(*rows));
	return trouble_exit(client_end(client, rc));
}

/**
 * process_run() - one run, in one process or several
 * @options: of it, settled
 * @rows: where to what is measured; ROWS_MAX for each process
 * @count: gets how many
 *
 * Return: an exit code.
 */
int process_run(const struct options *options, struct row *rows, size_t *count)
{
	*count = 0;
	return options->processes > 1 ? run_crew(options, rows, count)
				      : run_alone(options, rows, count);
}
