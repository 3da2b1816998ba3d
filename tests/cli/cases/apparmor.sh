# The profile of the service farmemd: AppArmor's compiler takes it without a warning, and the
# unit asks for it by the name that it has.
PATH=$PATH:/usr/sbin
# Of the features that the profile names, whatever the kernel here has; without AppArmor in
# it the compiler says that nothing is cached.
compile() {
	apparmor_parser --skip-kernel-load --skip-cache --kernel-features=/etc/apparmor.d/abi/3.0 --warn=all --Werror "$@" \
		"$repo/packaging/apparmor/farmemd" 2>&1 | grep -v '^Cache read/write disabled'
}

echo "compiled: $(compile --names)"
sed -n 's/^AppArmorProfile=/asked for: /p' "$repo/packaging/farmemd.service"
compile --ofile "$box/policy"
[ -s "$box/policy" ] && echo "a policy came of it"
