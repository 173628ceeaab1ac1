# SPDX-License-Identifier: Apache-2.0
# Sourced by test scripts. Each check prints one sentence; `finish` prints the count.

checks=0
failures=0

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
    printf '%s\n' "$*" "$output" "exit code $code" | sed 's/^/    /'
  fi
}

# finish NAME: prints the count; fails if any sentence was not true.
finish() {
  echo "$1: $checks sentences, $failures not true"
  ((failures == 0))
}
