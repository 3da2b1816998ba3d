// SPDX-License-Identifier: GPL-2.0
/* agent-config.c - the keys of agent.conf. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "agent-config.h"
#include "attr.h"
#include "config-file.h"
#include "parse.h"

#define SECONDS_MIN	5
#define SECONDS_MAX	3600
#define PASSWORD_MAX	1024
#define KEY_MAX		65536
#define URL_MAX		256

static const struct agent_key {
	const char *name;
	size_t offset;
} agent_keys[] = {
	{ "etcd", offsetof(struct agent_config, etcd) },
	{ "ca", offsetof(struct agent_config, ca) },
	{ "cert", offsetof(struct agent_config, cert) },
	{ "key", offsetof(struct agent_config, key) },
	{ "user", offsetof(struct agent_config, user) },
	{ "password", offsetof(struct agent_config, password) },
	{ "status-socket", offsetof(struct agent_config, status_socket) },
	{ "address", offsetof(struct agent_config, addresses) },
	{ "domain", offsetof(struct agent_config, domain) },
	{ "node", offsetof(struct agent_config, node) },
};

static const char *agent_config_section(void *user, const char *name)
{
	return "begins a section; this file has none";
}

static bool agent_config_repeats(const char *key)
{
	return !strcmp(key, "etcd") || !strcmp(key, "address");
}

static int agent_config_seconds(unsigned int *seconds, const char *key, const char *value, char *error, size_t size)
{
	uint64_t number;

	if (parse_number(value, SECONDS_MIN, SECONDS_MAX, &number)) {
		snprintf(error, size, "%s: '%.40s' is not a number of seconds from %d to %d", key, value, SECONDS_MIN,
			 SECONDS_MAX);
		return -EINVAL;
	}
	*seconds = number;
	return 0;
}

static int agent_config_page(struct agent_config *config, const char *value, char *error, size_t size)
{
	if (!parse_port(value, &config->page))
		return 0;
	snprintf(error, size, "page: '%.60s' is neither a port such as 9473 nor a numeric address with one, such as 127.0.0.1:9473", value);
	return -EINVAL;
}

static int agent_config_set(void *user, const char *section, const char *key, const char *value,
			    char *error, size_t size)
{
	struct agent_config *config = user;
	size_t i;

	if (!*value) {
		snprintf(error, size, "%.40s has no value", key);
		return -EINVAL;
	}
	if ((!strcmp(key, "domain") || !strcmp(key, "node")) && !text_visible(value)) {
		snprintf(error, size, "%s: '%.40s' is not a word of visible ASCII characters", key, value);
		return -EINVAL;
	}
	if (!strcmp(key, "node") && strchr(value, '/')) {
		snprintf(error, size, "node: '%.40s' has a / in it", value);
		return -EINVAL;
	}
	if (!strcmp(key, "ttl"))
		return agent_config_seconds(&config->ttl, key, value, error, size);
	if (!strcmp(key, "sets"))
		return agent_config_seconds(&config->sets, key, value, error, size);
	if (!strcmp(key, "page"))
		return agent_config_page(config, value, error, size);
	for (i = 0; i < sizeof(agent_keys) / sizeof(*agent_keys); i++) {
		char **text = (char **)((char *)user + agent_keys[i].offset);

		if (strcmp(agent_keys[i].name, key))
			continue;
		text_add(text, " ", value);
		return 0;
	}
	snprintf(error, size, "unknown key '%.40s'; there are ttl, sets, page, ", key);
	for (i = 0; i < sizeof(agent_keys) / sizeof(*agent_keys); i++)
		snprintf(error + strlen(error), size - strlen(error), "%s%s", i ? ", " : "", agent_keys[i].name);
	return -EINVAL;
}

static bool agent_config_is_near(const char *url)
{
	static const char *const hosts[] = { "http://127.0.0.1:", "http://[::1]:", "http://localhost:" };
	size_t i;

	for (i = 0; i < sizeof(hosts) / sizeof(*hosts); i++)
		if (!strncmp(url, hosts[i], strlen(hosts[i])))
			return true;
	return false;
}

/* What is wrong with a URL of etcd; NULL: nothing. */
static const char *agent_config_flaw(const struct agent_config *config, const char *url)
{
	bool plain = !strncmp(url, "http://", strlen("http://"));

	if (strlen(url) > URL_MAX)
		return "is too long";
	if (!plain && strncmp(url, "https://", strlen("https://")))
		return "begins with neither https:// nor http://";
	if (plain && (config->ca || config->cert))
		return "uses no TLS, but there is ca or cert: give https://";
	if (plain && config->user && !agent_config_is_near(url))
		return "uses no TLS, and the password would go in clear: give https://";
	return NULL;
}

static int agent_config_check_urls(const struct agent_config *config, const char *path, char *error, size_t size)
{
	CLEANUP_FREE char *urls = text_copy(config->etcd);
	char *rest = urls, *url;
	const char *flaw;

	while ((url = strsep(&rest, ", \t"))) {
		flaw = *url ? agent_config_flaw(config, url) : NULL;
		if (!flaw)
			continue;
		snprintf(error, size, "%s: etcd = %.60s %s", path, url, flaw);
		return -EINVAL;
	}
	return 0;
}

int agent_config_read(struct agent_config *config, const char *path, char *error, size_t size)
{
	static const struct config_grammar grammar = {
		.main = "", .section = agent_config_section, .set = agent_config_set, .repeats = agent_config_repeats,
	};
	int ret;

	memset(config, 0, sizeof(*config));
	ret = config_file_read(path, &grammar, config, error, size);
	if (ret)
		return ret;
	if (!config->etcd) {
		snprintf(error, size, "%s: no etcd; give the URL of each of its members, for example etcd = https://10.0.0.1:2379", path);
		return -EINVAL;
	}
	if (!config->user != !config->password) {
		snprintf(error, size, "%s: user and password go together", path);
		return -EINVAL;
	}
	if (!config->cert != !config->key) {
		snprintf(error, size, "%s: cert and key go together", path);
		return -EINVAL;
	}
	return agent_config_check_urls(config, path, error, size);
}

void agent_config_free(struct agent_config *config)
{
	size_t i;

	for (i = 0; i < sizeof(agent_keys) / sizeof(*agent_keys); i++)
		free(*(char **)((char *)config + agent_keys[i].offset));
	memset(config, 0, sizeof(*config));
}

/*
 * systemd gives a service its secrets in a folder of its own: systemd.exec(5), "Credentials".
 * For a file that is not there the unit makes one with an empty line.
 */
static char *agent_config_secret(const char *path)
{
	const char *folder = getenv("CREDENTIALS_DIRECTORY"), *name = path ? strrchr(path, '/') : NULL;
	struct stat st;
	char *given;

	if (!path)
		return NULL;
	given = folder ? text_format("%s/%s", folder, name ? name + 1 : path) : NULL;
	if (given && !stat(given, &st) && st.st_size > 1)
		return given;
	free(given);
	return text_copy(path);
}

/* A file as text, to free; NULL with a message. */
static char *agent_config_read_key(const char *path, char *error, size_t size)
{
	CLEANUP_FREE char *text = checked(calloc(1, KEY_MAX + 1));
	FILE *file = fopen(path, "re");
	size_t got = file ? fread(text, 1, KEY_MAX, file) : 0;

	if (!got)
		snprintf(error, size, "%s: %s", path, file ? "there is no key in it" : strerror(errno));
	if (file)
		fclose(file);
	return got ? text_copy(text) : NULL;
}

/* The first line of a file, to free; NULL with a message. */
static char *agent_config_password(const char *path, char *error, size_t size)
{
	FILE *file = fopen(path, "re");
	char line[PASSWORD_MAX] = "";
	char *password = NULL;

	if (!file) {
		snprintf(error, size, "%s: %s", path, strerror(errno));
		return NULL;
	}
	if (fgets(line, sizeof(line), file) && *line != '\n') {
		password = text_copy(line);
		password[strcspn(password, "\n")] = '\0';
	} else {
		snprintf(error, size, "%s: there is no password in its first line", path);
	}
	explicit_bzero(line, sizeof(line));
	fclose(file);
	return password;
}

static void agent_config_wipe(char *secret)
{
	if (secret)
		explicit_bzero(secret, strlen(secret));
	free(secret);
}

struct etcd *agent_config_etcd(const struct agent_config *config, sd_event *event, unsigned int seconds,
			       char *error, size_t size)
{
	CLEANUP_FREE char *key_path = agent_config_secret(config->key);
	CLEANUP_FREE char *password_path = agent_config_secret(config->password);
	char *key = key_path ? agent_config_read_key(key_path, error, size) : NULL;
	char *password = password_path ? agent_config_password(password_path, error, size) : NULL;
	const struct etcd_options options = {
		.endpoints = config->etcd, .ca = config->ca, .cert = config->cert, .key = key,
		.user = config->user, .password = password, .seconds = seconds,
	};
	struct etcd *etcd = NULL;

	if (!key == !key_path && !password == !password_path) {
		etcd = etcd_open(event, &options);
		if (!etcd)
			snprintf(error, size, "out of memory");
	}
	agent_config_wipe(key);
	agent_config_wipe(password);
	return etcd;
}
