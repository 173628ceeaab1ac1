// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

extension StatusFamily {
  /// The statuses that every function may return.
  static let common = StatusFamily(
    of: [],
    [
      .init(noErr, "noErr", "All is well.", "Nothing to do."),
      .init(
        kAudio_UnimplementedError, "kAudio_UnimplementedError",
        "The unit does not have this function.", "Check with AudioComponentInstanceCanDo first."),
      .init(
        kAudio_ParamError, "kAudio_ParamError",
        "An argument is null or inconsistent, or a handle is not (or no longer) valid.",
        "Check pointers, buffer counts and sizes, and the order of dispose calls."),
      .init(
        kAudio_MemFullError, "kAudio_MemFullError", "There is no memory or no place left.",
        "Dispose of what you no longer use."),
      .init(
        kAudio_FileNotFoundError, "kAudio_FileNotFoundError", "The file does not exist.",
        "Check the path."),
      .init(
        kAudio_FilePermissionError, "kAudio_FilePermissionError",
        "The file may not be read or written.", "Check its permissions and its folder's."),
      .init(
        kAudio_TooManyFilesOpenError, "kAudio_TooManyFilesOpenError", "Too many files are open.",
        "Close some, or raise `ulimit -n`."),
      .init(
        kAudio_BadFilePathError, "kAudio_BadFilePathError", "The path is malformed.",
        "Check the path."),
    ])
}
