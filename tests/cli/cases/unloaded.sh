# Without the module, without configfs.
rm -r "$box/config" "$box/sys/module/farmem"
ctl
ctl volume create data --size 4G --server 10.0.0.2
ctl session list
mkdir "$box/sys/module/farmem"
ctl volume list
ctl volume delete data
echo coming >"$box/sys/module/farmem/initstate"
ctl session list
