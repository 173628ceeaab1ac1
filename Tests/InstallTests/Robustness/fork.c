// SPDX-License-Identifier: Apache-2.0
// A forked child gets an error with advice that it cannot use the library; it neither hangs nor
// crashes.
// Prints child: -50, says what to do

#include "robustness.h"

#include <sys/wait.h>

int main(void) {
  AudioUnit used = make_unit(kAudioUnitType_Effect, kAudioUnitSubType_Delay);
  fflush(stdout);
  if (fork() == 0) {
    AudioComponentDescription description = described(kAudioUnitType_Effect, kAudioUnitSubType_Delay);
    AudioComponent component = AudioComponentFindNext(NULL, &description);
    AudioUnit unit = NULL;
    OSStatus status = AudioComponentInstanceNew(component, &unit);
    CFStringRef reason = AUDiagnosticsCopyLastExplanation();
    char text[1000] = "";
    if (reason) CFStringGetCString(reason, text, sizeof text, kCFStringEncodingUTF8);
    printf("child: %d, %s\n", (int)status, strstr(text, "fork") ? "says what to do" : text);
    fflush(stdout);
    _exit(0);
  }
  int status = 0;
  wait(&status);
  AudioComponentInstanceDispose(used);
  return status;
}
