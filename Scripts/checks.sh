# SPDX-License-Identifier: Apache-2.0
# Sourced by the test scripts: one line per sentence, and a count at the end.

checks=0
failures=0

# check SENTENCE COMMAND…: the sentence is true when the command succeeds; else its output is shown.
check() {
  local sentence=$1 output
  shift
  checks=$((checks + 1))
  # In a subshell of its own, where the first command that fails ends it.
  set +e
  output=$(set -e; "$@" 2>&1)
  local code=$?
  set -e
  if ((code == 0)); then
    echo "✔ $sentence${output:+ ($(tail -n 1 <<<"$output"))}"
  else
    failures=$((failures + 1))
    echo "✘ $sentence"
    printf '%s\n' "$*" "$output" "exit code $code" | sed 's/^/    /'
  fi
}

# finish NAME: prints the count; false when a sentence was not true.
finish() {
  echo "$1: $checks sentences, $failures not true"
  ((failures == 0))
}
