# State changes from the kernel only, ending on SIGINT with 0.
scene_volume
cat >"$box/events" <<END
0 change@/module/farmem ACTION=change FARMEM_SESSION=10.0.0.2:7471 FARMEM_STATE=recovering FARMEM_OLD_STATE=live
0 change@/devices/virtual/block/farmem0 ACTION=change SUBSYSTEM=block FARMEM_VOLUME=data FARMEM_STATE=failed
0 change@/devices/pci0000:00/usb1 ACTION=change SUBSYSTEM=usb STATE=x
0 change@/devices/virtual/block/farmem0 ACTION=change SUBSYSTEM=block FARMEM_VOLUME=data FARMEM_STATE=failed
4711 change@/module/farmem ACTION=change FARMEM_SESSION=forged FARMEM_STATE=live FARMEM_OLD_STATE=down
overrun
0 change@/devices/virtual/block/farmem0 ACTION=change FARMEM_VOLUME=data FARMEM_STATE=live
0 change@/devices/virtual/block/farmem1 ACTION=change FARMEM_VOLUME=new FARMEM_STATE=live
0 change@/module/farmem FARMEM_SESSION=s FARMEM_STATE=live
END
export FAKE_EVENTS=$box/events
stamp='s/[0-9]\{4\}-[0-9-]*T[0-9:]*\.[0-9]\{3\}+0000/TIME/'
ctl monitor | sed "$stamp"
ctl monitor --json | sed "$stamp"
# A person is told what to wait for.
export -f tool
script -qec 'tool monitor 2>&1 >/dev/null' /dev/null | head -n 1 | tr -d '\r'
# When the module goes it ends; not with another module, nor with a liar.
cat >"$box/events" <<END
0 remove@/module/farmem_test ACTION=remove SUBSYSTEM=module DEVPATH=/module/farmem_test
0 add@/module/farmem ACTION=add SUBSYSTEM=module DEVPATH=/module/farmem
4711 remove@/module/farmem ACTION=remove SUBSYSTEM=module DEVPATH=/module/farmem
0 change@/module/farmem FARMEM_SESSION=s FARMEM_STATE=live
0 remove@/module/farmem ACTION=remove SUBSYSTEM=module DEVPATH=/module/farmem
0 change@/module/farmem FARMEM_SESSION=s FARMEM_STATE=failed
END
ctl monitor | sed "$stamp"
