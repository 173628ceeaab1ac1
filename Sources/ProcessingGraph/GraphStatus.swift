// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox

extension StatusFamily {
  /// The statuses that functions of graphs return.
  public static let graphs = StatusFamily(
    of: ["AUGraph"],
    [
      .init(
        -10860, "kAUGraphErr_NodeNotFound", "The graph has no such node.",
        "Keep the number that AUGraphAddNode returned."),
      .init(
        -10861, "kAUGraphErr_InvalidConnection",
        "The connection does not exist, or one of its ends is in "
          + "use.", "Disconnect that input first."),
      .init(
        -10862, "kAUGraphErr_OutputNodeErr", "A graph has exactly one output node.",
        "Add one, or remove the second."),
      .init(
        -10864, "kAUGraphErr_InvalidAudioUnit", "The node has no unit yet.",
        "Call AUGraphOpen first."),
    ])
}
