// SPDX-License-Identifier: GPL-2.0
/*
 * control.c - debugfs: a line written to farmem-floor/run is a measurement, its
 * outcome is in farmem-floor/result.
 *
 * job_lock is held over a measurement: it owns both links and the result.
 */
#include <linux/debugfs.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "control.h"
#include "run.h"

#define LINE_MAX 256

static DEFINE_MUTEX(job_lock);
static struct floor_link polled;
static struct floor_link interrupting;
static struct floor_remote remote;
static struct dentry *folder;
static char outcome[LINE_MAX];

static int parse_choice(const char *value, const char *no, const char *yes,
			bool *chosen)
{
	*chosen = !strcmp(value, yes);
	return *chosen || !strcmp(value, no) ? 0 : -EINVAL;
}

static int parse_pair(struct floor_job *job, const char *key, const char *value)
{
	if (!strcmp(key, "op"))
		return parse_choice(value, "read", "write", &job->write);
	if (!strcmp(key, "reap"))
		return parse_choice(value, "poll", "softirq", &job->softirq);
	if (!strcmp(key, "depth"))
		return kstrtouint(value, 10, &job->depth);
	if (!strcmp(key, "bytes"))
		return kstrtouint(value, 10, &job->bytes);
	if (!strcmp(key, "count"))
		return kstrtouint(value, 10, &job->count);
	if (!strcmp(key, "signal"))
		return kstrtouint(value, 10, &job->signal);
	return -EINVAL;
}

static bool sane(const struct floor_job *job)
{
	return job->depth && job->depth <= FLOOR_DEPTH_MAX &&
	       job->bytes && job->bytes <= FLOOR_BYTES_MAX &&
	       IS_ALIGNED(job->bytes, SZ_4K) &&
	       job->count && job->count <= FLOOR_COUNT_MAX &&
	       job->signal && job->signal <= job->depth &&
	       (job->write || job->signal == 1);
}

/* @line: "key=value key=value ..."; taken to pieces. */
static int parse(struct floor_job *job, char *line)
{
	char *word, *value;
	int err;

	while ((word = strsep(&line, " \t\n"))) {
		if (!*word)
			continue;
		value = strchr(word, '=');
		if (!value)
			return -EINVAL;
		*value++ = '\0';
		err = parse_pair(job, word, value);
		if (err)
			return err;
	}
	return sane(job) ? 0 : -EINVAL;
}

static int work_off(const struct floor_job *job)
{
	struct floor_result result;
	int err;

	if (mutex_lock_interruptible(&job_lock))
		return -EINTR;
	err = floor_run(job, job->softirq ? &interrupting : &polled, &remote,
			&result);
	if (!err)
		snprintf(outcome, sizeof(outcome), "%u %llu %llu %u %u\n",
			 job->count, result.total,
			 div_u64(result.total, job->count), result.p50,
			 result.p99);
	else
		*outcome = '\0';
	mutex_unlock(&job_lock);
	return err;
}

static ssize_t run_write(struct file *file, const char __user *from,
			 size_t count, loff_t *pos)
{
	struct floor_job job = {
		.depth = 1,
		.bytes = SZ_4K,
		.count = 10000,
		.signal = 1,
	};
	char *line;
	int err;

	if (count >= LINE_MAX)
		return -EINVAL;
	line = memdup_user_nul(from, count);
	if (IS_ERR(line))
		return PTR_ERR(line);
	err = parse(&job, line);
	kfree(line);
	if (!err)
		err = work_off(&job);
	return err ?: count;
}

static ssize_t result_read(struct file *file, char __user *to, size_t count,
			   loff_t *pos)
{
	char line[LINE_MAX];

	if (mutex_lock_interruptible(&job_lock))
		return -EINTR;
	strscpy(line, outcome, sizeof(line));
	mutex_unlock(&job_lock);
	return simple_read_from_buffer(to, count, pos, line, strlen(line));
}

static const struct file_operations run_fops = {
	.owner = THIS_MODULE,
	.write = run_write,
};

static const struct file_operations result_fops = {
	.owner = THIS_MODULE,
	.read = result_read,
};

int floor_control_start(const char *where)
{
	int err;

	err = floor_link_open(&polled, where, IB_POLL_DIRECT, 1);
	if (err)
		return err;
	err = floor_link_explore(&polled, &remote);
	if (err)
		goto close_polled;
	err = floor_link_open(&interrupting, where, IB_POLL_SOFTIRQ, 1);
	if (err)
		goto free_remote;
	folder = debugfs_create_dir("farmem-floor", NULL);
	debugfs_create_file("run", 0200, folder, NULL, &run_fops);
	debugfs_create_file("result", 0400, folder, NULL, &result_fops);
	return 0;

free_remote:
	floor_remote_free(&remote);
close_polled:
	floor_link_close(&polled);
	return err;
}

void floor_control_stop(void)
{
	debugfs_remove_recursive(folder);
	floor_link_close(&interrupting);
	floor_link_close(&polled);
	floor_remote_free(&remote);
}

const struct floor_remote *floor_control_remote(void)
{
	return &remote;
}
