# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that run tests, in the root of the package: sets an environment that is the
# same for every user and on every machine.

for variable in $(compgen -e); do
  case $variable in
    AUDIOTOOLBOX_TEST_*) ;;
    # Settings of this library, of sound servers, of the desktop, and of the language.
    AUDIOTOOLBOX_* | TONE_GENERATOR_* | ALSA_* | JACK_* | PIPEWIRE_* | PULSE_* | \
      XDG_* | GTK_* | GDK_* | GSK_* | ADW_* | *DISPLAY | DBUS_* | LANG | LANGUAGE | LC_* | TZ)
      unset "$variable"
      ;;
  esac
done
export LANG=C.UTF-8 TZ=UTC

# No MIDI ports of the machine. Tests of servers choose their own.
export AUDIOTOOLBOX_MIDI=none

# No plug-ins of the machine. Tests of plug-ins have their own.
export AUDIOTOOLBOX_PLUGINS=none

# The bank that Scripts/setup installs; another one may be the system's default.
export AUDIOTOOLBOX_BANK=/usr/share/sounds/sf2/TimGM6mb.sf2

# An empty home, which the scripts of one run share. What compilers keep there stays for the next run.
if [[ ${HOME:-} != "$PWD/.build/home" ]]; then
  # Where a manager of Swift toolchains keeps them.
  export SWIFTLY_HOME_DIR=${SWIFTLY_HOME_DIR:-${HOME:-}/.local/share/swiftly}
  rm -rf .build/home
  export HOME=$PWD/.build/home
fi
export XDG_CACHE_HOME=$PWD/.build/cache
mkdir -p "$HOME" "$XDG_CACHE_HOME"
