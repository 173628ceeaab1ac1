# SPDX-License-Identifier: Apache-2.0
# Sourced by test scripts, which keep their files in the folder `work`. Each check prints one sentence;
# `finish` prints the count.

checks=0
failures=0

# How many commands run beside one another. Most of them wait, for a tone or for a window.
at_once=5
besides=0

# The output of a command: of a long one, such as a build, the errors and the last lines.
short() {
  if (($(wc -l <<<"$1") <= 60)); then
    echo "$1"
  else
    grep -m 20 -E '(error|warning): |rror:' <<<"$1" || true
    tail -n 20 <<<"$1"
  fi
}

# check SENTENCE COMMAND…: the sentence is true if the command succeeds; if not, its output is shown.
check() {
  local sentence=$1 output
  shift
  checks=$((checks + 1))
  # In a subshell, which ends at the first command that fails.
  set +e
  output=$(set -e; "$@" 2>&1)
  local code=$?
  set -e
  if ((code == 0)); then
    echo "✔ $sentence${output:+ ($(tail -n 1 <<<"$output"))}"
  else
    failures=$((failures + 1))
    echo "✘ $sentence"
    { echo "$*" && short "$output" && echo "exit code $code"; } | sed 's/^/    /'
  fi
}

# beside COMMAND…: runs a command that makes checks beside those that follow. Its own files are in the
# folder `own`.
beside() {
  until (($(jobs -pr | wc -l) < at_once)); do wait -n || true; done
  besides=$((besides + 1))
  local own=$work/beside/$besides
  mkdir -p "$own"
  { "$@" && : >"$own/ended"; } >"$own/sentences" 2>&1 &
}

# Waits for everything that runs beside, and prints its sentences in the order of the calls.
join() {
  wait
  local number sentences
  for ((number = 1; number <= besides; number++)); do
    sentences=$work/beside/$number/sentences
    [[ -e ${sentences%/*}/ended ]] || echo "✘ ended before its last sentence" >>"$sentences"
    cat "$sentences"
    checks=$((checks + $(grep -c '^[✔✘]' "$sentences")))
    failures=$((failures + $(grep -c '^✘' "$sentences" || true)))
  done
  besides=0
}

# finish NAME: prints the count; fails if any sentence was not true.
finish() {
  echo "$1: $checks sentences, $failures not true"
  ((failures == 0))
}
