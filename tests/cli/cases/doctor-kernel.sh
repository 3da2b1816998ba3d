# The doctor on kernels, and on modules that are missing, of another kernel, or kept out.
# shellcheck source=tests/cli/node.sh
. "$here/node.sh"
node_make
release() { put "$proc/sys/kernel/osrelease" "$1"; }

for version in 4.19.0-27-amd64 5.10.0-46-amd64 6.5.0 6.12.95+deb12-amd64 whatever; do
	release $version
	rm -f "$box/config/features"
	sick "Linux $version"
done
release 6.1.0-56-amd64
put "$box/config/features" 'rdma local rw_page'
sick "what the module says"

rm -rf "$sys/module/farmem"
sick "not loaded" --node compute
put "$sys/kernel/security/lockdown" 'none [integrity] confidentiality'
sick "locked down, not signed" --node compute
echo 'signer:         A Name' >>"$box/modinfo"
sick "locked down, signed" --node compute
put "$sys/kernel/security/lockdown" '[none] integrity confidentiality'
put "$sys/module/module/parameters/sig_enforce" Y
sick "signature enforced, signed" --node compute
put "$sys/module/module/parameters/sig_enforce" N
rm -r "$sys/kernel/security"
sick "no securityfs" --node compute
rm "$box/modinfo"
sick "not built" --node compute
rm -r "$root/lib/modules"
sick "no headers either" --node compute
put "$root/etc/os-release" 'ID_LIKE="rhel fedora"'
sick "nor on RHEL" --node compute
echo 'vermagic:       6.1.0-55-amd64 SMP' >"$box/modinfo"
sick "built for another kernel" --node compute
rm "$box/modinfo"
mkdir "$sys/module/farmem"
sick "loaded by insmod"
rm -r "$box/config"
sick "configfs not mounted"
fake modinfo <<<'exit 9'
sick "modinfo fails"
