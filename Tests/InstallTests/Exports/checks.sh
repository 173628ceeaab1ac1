# SPDX-License-Identifier: Apache-2.0
# Sourced by Tests/InstallTests/run: our units as plug-ins of other programs. What a host renders with an effect is
# what `au render` writes, to the bit. Hosts that are not installed are left out.

exports=$here/Exports
bundle=$prefix/lib/lv2/swift-audiotoolbox.lv2
clap=$prefix/lib/clap/swift-audiotoolbox.clap

# The hosts below know only our bundle and the specifications.
with_bundle() { LV2_PATH=$prefix/lib/lv2:/usr/lib/lv2 "$@"; }

turtle_is_valid() {
  lv2_validate "$bundle"/*.ttl >"$own/output" 2>&1 || true
  tail -n 1 "$own/output"
  tail -n 1 "$own/output" | grep -q '^Found 0 errors among'
}

# Each of the units that `au list` shows, except generators that play what only a program can give them.
units_are_complete() {
  comm -3 <("$work/clap_host" "$clap" list | sort) \
    <("$prefix/bin/au" list --json | python3 -c '
import json, sys
for unit in json.load(sys.stdin):
  codes = [unit[key].strip() for key in ("type", "subtype", "manufacturer")]
  if (codes[0] in ("aufx", "augn", "aumu") and codes[1] not in ("sspl", "afpl")
      and codes[2] in ("appl", "swat")):
    print("swift-audiotoolbox:" + ":".join(codes))' | sort) | tee "$own/differences"
  [[ ! -s $own/differences ]]
}

# Symbols and identifiers are in the documents of users.
identifiers_are_as_ever() {
  grep -q '^<urn:swift-audiotoolbox:aufx:dely:appl>$' "$bundle/AUDelay.ttl"
  [[ $(sed -n 's/.*lv2:symbol "\(.*\)" ;/\1/p' "$bundle/AUDelay.ttl" | head -n 10 | xargs) == \
    "in_left in_right out_left out_right enabled latency dry_wet_mix delay_time feedback lowpass_cutoff_frequency" ]]
}

# au_renders UNIT,…: the reference.
au_renders() { "$prefix/bin/au" render "$1" "$own/in.wav" "$own/expected.wav" --tail 0; }
is_equal() { python3 "$exports/sound.py" same "$own/expected.wav" "$1"; }

# compare_all HOST: two effects at their defaults, one with a preset, one with parameters of its own. A host is a
# function with the code of a unit and parameters: SYMBOL VALUE ….
compare_all() {
  local host=$1
  python3 "$exports/sound.py" make "$own/in.wav"
  au_renders mcmp
  "$host" mcmp
  is_equal "$own/out.wav"
  au_renders mrev
  "$host" mrev
  is_equal "$own/out.wav"
  au_renders lpas,cutoff=800,resonance=6
  "$host" lpas cutoff_frequency 800 resonance 6
  is_equal "$own/out.wav"
  au_renders rvb2,preset=cathedral
  local preset
  read -ra preset < <(python3 "$exports/sound.py" preset "$bundle/AUReverb2-presets.ttl" Cathedral | sed 's/-c //g')
  "$host" rvb2 "${preset[@]}"
  is_equal "$own/out.wav"
}

by_lv2apply() {
  local unit=$1 options=()
  shift
  for ((; $#; )); do
    options+=(-c "$1" "$2")
    shift 2
  done
  with_bundle lv2apply -i "$own/in.wav" -o "$own/out.wav" "${options[@]}" "urn:swift-audiotoolbox:aufx:$unit:appl"
}
by_ffmpeg() {
  local unit=$1 options=
  shift
  for ((; $#; )); do
    options+=${options:+|}$1=$2
    shift 2
  done
  with_bundle ffmpeg -nostdin -v error -y -i "$own/in.wav" -c:a pcm_f32le \
    -af "lv2=p=urn\\\\:swift-audiotoolbox\\\\:aufx\\\\:$unit\\\\:appl${options:+:c=$options}" "$own/out.wav"
}
by_gstreamer() {
  local unit=$1 options=()
  shift
  for ((; $#; )); do
    options+=("${1//_/-}=$2")
    shift 2
  done
  GST_REGISTRY=$own/registry with_bundle gst-launch-1.0 -q filesrc "location=$own/in.wav" ! wavparse ! \
    "urn-swift-audiotoolbox-aufx-$unit-appl" "${options[@]}" ! wavenc ! filesink "location=$own/out.wav"
}

# The CLAP in slices of several lengths, in place and not, and with a change at a frame.
equal_by_clap() {
  local id=swift-audiotoolbox:aufx:rvb2:appl slice memory
  python3 "$exports/sound.py" make "$own/in.wav"
  python3 "$exports/sound.py" raw "$own/in.wav" "$own/in.raw"
  au_renders rvb2,gain=3,mindelay=0.02
  for slice in 1 480 4096; do
    for memory in in-place apart; do
      "$work/clap_host" "$clap" render "$id" "$own/in.raw" "$own/out.raw" "$slice" "$memory" gain=3 "min delay time=0.02"
      is_equal "$own/out.raw"
    done
  done
}
changes_at_its_frame() {
  local id=swift-audiotoolbox:aufx:lpas:appl slice
  for slice in 64 1000; do
    "$work/clap_host" "$clap" render "$id" "$own/in.raw" "$own/$slice.raw" "$slice" apart "cutoff frequency=800@10000"
  done
  python3 "$exports/sound.py" same "$own/64.raw" "$own/1000.raw"
}
plays_a_note() {
  "$work/clap_host" "$clap" play swift-audiotoolbox:aumu:dls:appl "$own/clap.raw"
  "$work/lv2_host" "$bundle/plug-ins.so" play "$own/lv2.raw"
  python3 "$exports/sound.py" same "$own/clap.raw" "$own/lv2.raw"
}
restores_presets() {
  python3 "$exports/sound.py" state "$bundle/AUiPodEQ-presets.ttl" Rock "$own/state"
  "$work/lv2_host" "$bundle/plug-ins.so" preset "$own/state"
}
scanned_by_qtractor() {
  local scanner
  scanner=$(compgen -G '/usr/lib*/*/qtractor/qtractor_plugin_scan' || compgen -G '/usr/lib*/qtractor/qtractor_plugin_scan')
  QT_QPA_PLATFORM=offscreen "$scanner" <<<"CLAP:$clap" >"$own/output"
  (($(grep -c '^CLAP|' "$own/output") == $("$work/clap_host" "$clap" list | wc -l)))
}

build_hosts() {
  local host
  for host in clap_host lv2_host; do
    gcc -O1 -std=gnu11 -Wall -Wextra -Werror -ISources/CPlugIns/include "$exports/$host.c" -o "$work/$host" -ldl -lm
  done
}

exported_plug_ins() {
  check "small hosts of CLAP and LV2 compile" build_hosts
  check "each unit is a plug-in" units_are_complete
  check "lv2_validate finds no error in the bundle" turtle_is_valid
  check "the identifiers of a plug-in and its ports are what they were" identifiers_are_as_ever
  check "each CLAP plug-in survives a host's checks" "$work/clap_host" "$clap" check
  check "each LV2 plug-in survives odd calls, and its runs allocate nothing" "$work/lv2_host" "$bundle/plug-ins.so" check
  check "lv2apply renders what au render does" compare_all by_lv2apply
  check "ffmpeg renders what au render does" compare_all by_ffmpeg
  if GST_REGISTRY=$own/registry with_bundle gst-inspect-1.0 lv2 >/dev/null 2>&1; then
    check "GStreamer renders what au render does" compare_all by_gstreamer
  fi
  check "a host of CLAP renders what au render does, in any slices" equal_by_clap
  check "a parameter of the CLAP changes at its frame" changes_at_its_frame
  check "an instrument plays the same note as CLAP and as LV2" plays_a_note
  check "a preset without parameters is restored from its state" restores_presets
  if compgen -G '/usr/lib*/*/qtractor/qtractor_plugin_scan' >/dev/null; then
    check "qtractor's scanner finds the CLAP plug-ins" scanned_by_qtractor
  fi
}
