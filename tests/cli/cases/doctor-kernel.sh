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
for features in 'rdma local frontswap' 'rdma local' 'rdma local sync'; do
	put "$box/config/features" "$features"
	sick "what the module says: $features"
done
put "$box/config/features" 'rdma local rw_page'

rm -rf "$sys/module/farmem"
sick "not loaded" --node compute
put "$sys/kernel/security/lockdown" 'none [integrity] confidentiality'
sick "locked down, not signed" --node compute
echo 'signer:         A Name' >>"$box/modinfo"
sick "locked down, signed, nobody can see by a key that it has" --node compute
put "$proc/keys" '2c2c2c2c I------     1 perm 1f030000     0     0 keyring   .builtin_trusted_keys: 1'
sick "no key is shown" --node compute
kind=asymmetric	# cut short there
echo "1d1d1d1d I------     1 perm 1f010000     0     0 ${kind%c} Debian Secure Boot CA: 6ccece7e: X509.rsa 6ccece7e []" >>"$proc/keys"
sick "by a key that it has not" --node compute
echo "1e1e1e1e I------     1 perm 1f010000     0     0 ${kind%c} A Name: 0123cdef: X509.rsa 0123cdef []" >>"$proc/keys"
sick "by one that it has" --node compute
rm "$proc/keys"
put "$sys/kernel/security/lockdown" '[none] integrity confidentiality'
put "$sys/module/module/parameters/sig_enforce" Y
sick "signature enforced, signed" --node compute
sed -i '/signer/d' "$box/modinfo"
sick "signature enforced, not signed" --node compute
echo 'sig_id:         PKCS#7' >>"$box/modinfo"
sick "signature enforced, signed by whom modinfo does not know" --node compute
sed -i '/sig_id/d' "$box/modinfo"
put "$sys/module/module/parameters/sig_enforce" N
rm "$sys/kernel/security/lockdown"
put "$sys/kernel/security/lsm" capability
sick "a kernel without lockdown" --node compute
rm -r "$sys/kernel/security"
sick "no securityfs" --node compute
cat >"$box/do-mount" <<-EOT
	#!/bin/bash
	mkdir -p "$sys/kernel/security"
	echo '[none] integrity confidentiality' >"$sys/kernel/security/lockdown"
EOT
chmod +x "$box/do-mount"
sick "--fix mounts it, and loads the module" --node compute --fix
changed
rm "$box/do-mount"
rm "$box/modinfo"
sick "not built" --node compute
rm -r "$root/lib/modules"
sick "no headers either" --node compute
put "$root/usr/share/doc/farmem-tools/copyright" ''
sick "farmem's packages, but not the module's" --node compute
sick "nor is it known what the node is, and farmemd is there"
put "$root/etc/farmem/volumes.d/far0.conf" ''
sick "but a volume is described"
rm -r "$root/etc/farmem/volumes.d"
put "$root/usr/share/doc/farmem-dkms/copyright" ''
sick "and the module's package"
rm -r "$root/usr/share/doc"
put "$root/etc/os-release" 'ID_LIKE="rhel fedora"'
sick "nor on RHEL" --node compute
echo 'vermagic:       6.1.0-55-amd64 SMP' >"$box/modinfo"
sick "built for another kernel" --node compute
rm "$box/modinfo"
mkdir "$sys/module/farmem"
sick "loaded by insmod"
rm -r "$box/config"
sick "configfs not mounted"
put "$sys/module/farmem/initstate" coming
sick "a load that waits"
rm "$sys/module/farmem/initstate"
cat >"$box/do-mount" <<-EOT
	#!/bin/bash
	mkdir -p "$box/config"
EOT
chmod +x "$box/do-mount"
sick "--fix mounts it" --fix
changed
fake modinfo <<<'exit 9'
sick "modinfo fails"
