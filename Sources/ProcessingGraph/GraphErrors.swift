// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import AudioUnitCore
import CAudioToolbox

extension AudioError {
  /// Failures of graphs, without a reason yet. Each is named after its C constant.
  public static var nodeNotFound: Self { Self(status: kAUGraphErr_NodeNotFound) }
  public static var invalidConnection: Self { Self(status: kAUGraphErr_InvalidConnection) }
  public static var outputNode: Self { Self(status: kAUGraphErr_OutputNodeErr) }
  public static var invalidAudioUnit: Self { Self(status: kAUGraphErr_InvalidAudioUnit) }
  public static var invalidComponent: Self { Self(status: invalidComponentID) }

  /// The same failure, with the place in the graph's text that caused it, if there is one.
  func at(_ place: String?) -> Self { place.map { of($0) } ?? self }
}
