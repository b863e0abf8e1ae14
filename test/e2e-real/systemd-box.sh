#!/bin/sh
# A machine with systemd as its pid 1, over a throw-away copy of this one: sh systemd-box.sh FOLDER NODE OUTLAST
# Runs in its own mount namespace. Each line of standard input boots it once; end of input ends the script.
set -eu
box=$1 node=$2 outlast=$3
root=$box/root
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs "$box"
mkdir "$box/up" "$box/work" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$box/up,workdir=$box/work" "$root"

# Units that this host enables are not needed.
rm -rf "$root"/etc/systemd/system/*.wants "$root"/etc/init.d/* "$root"/etc/postgresql
echo uninitialized > "$root/etc/machine-id"
cat > "$root/etc/systemd/system/box.target" <<EOF
[Unit]
Requires=basic.target
Wants=dbus.service systemd-logind.service systemd-user-sessions.service
After=basic.target
EOF
for unit in systemd-firstboot systemd-networkd systemd-resolved systemd-timesyncd systemd-udevd; do
  ln -sf /dev/null "$root/etc/systemd/system/$unit.service"
done
grep -q '^ana:' "$root/etc/passwd" || {
  echo 'ana:x:4242:4242::/home/ana:/bin/sh' >> "$root/etc/passwd"
  echo 'ana:x:4242:' >> "$root/etc/group"
  echo 'ana:*:19000:0:99999:7:::' >> "$root/etc/shadow"
}
mkdir -p "$root/home/ana" "$root/opt/box/node" "$root/opt/box/outlast" "$root/opt/box/old"
chown 4242:4242 "$root/home/ana"
chmod 755 "$root" "$root/opt" "$root/opt/box"
mount --bind "$node" "$root/opt/box/node"
mount --bind "$outlast" "$root/opt/box/outlast"

cat > "$box/init" <<'EOF'
set -eu
box=$1 boot=$2
root=$box/root
mount --make-rprivate /
mount -t proc proc "$root/proc"
mount --bind "$boot" "$root/proc/sys/kernel/random/boot_id"
# It shares the kernel of the host: nothing in there may set kernel variables, the clock or modules.
mount --rbind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys/kernel/random/boot_id"
[ ! -e "$root/proc/sysrq-trigger" ] || mount --bind /dev/null "$root/proc/sysrq-trigger"
mount -t sysfs -o ro sysfs "$root/sys"
for place in tmp run dev; do mount -t tmpfs -o mode=755 tmpfs "$root/$place"; done
chmod 1777 "$root/tmp"
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
for name in null zero full random urandom tty; do
  touch "$root/dev/$name"
  mount --bind "/dev/$name" "$root/dev/$name"
done
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
cd "$root"
pivot_root . opt/box/old
umount -l /opt/box/old
exec env -i container=outlast PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  setpriv --bounding-set=-sys_time,-sys_module,-sys_rawio,-syslog,-mknod /lib/systemd/systemd --system --unit=box.target \
  --show-status=no --log-target=console --log-level=warning
EOF

while read -r boot; do
  # In its own control group: systemd believes that it has the whole machine.
  unshare -p -f -m -u -i -n -C --kill-child=KILL sh "$box/init" "$box" "$boot" <&- || true
  echo over
done
