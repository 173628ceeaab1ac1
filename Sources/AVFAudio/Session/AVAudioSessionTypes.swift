// SPDX-License-Identifier: Apache-2.0
public import AudioSessions
import AudioToolbox

// The string constants of a session. They are typed strings in Objective-C, and so structures with
// a string here.
extension AVAudioSession {
  /// The purpose for which a program uses sound.
  public typealias Category = SessionCategory
  /// A refinement of the category.
  public typealias Mode = SessionMode
  /// How a device is connected.
  public typealias Port = SessionPortType

  /// The position of a data source in its device.
  public struct Location: RawRepresentable, Hashable, Sendable {
    /// The word or the number itself.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The lower part.
    public static let lower = Self(rawValue: "Lower")
    /// The upper part.
    public static let upper = Self(rawValue: "Upper")
  }

  /// The direction in which a data source points.
  public struct Orientation: RawRepresentable, Hashable, Sendable {
    /// The word or the number itself.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Up.
    public static let top = Self(rawValue: "Top")
    /// Down.
    public static let bottom = Self(rawValue: "Bottom")
    /// To the front.
    public static let front = Self(rawValue: "Front")
    /// To the back.
    public static let back = Self(rawValue: "Back")
    /// To the left.
    public static let left = Self(rawValue: "Left")
    /// To the right.
    public static let right = Self(rawValue: "Right")
  }

  /// The directivity of a microphone.
  public struct PolarPattern: RawRepresentable, Hashable, Sendable {
    /// The word or the number itself.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Equal sensitivity in all directions.
    public static let omnidirectional = Self(rawValue: "Omnidirectional")
    /// Most sensitive to the front.
    public static let cardioid = Self(rawValue: "Cardioid")
    /// Most sensitive to the front, less to the back.
    public static let subcardioid = Self(rawValue: "Subcardioid")
    /// Two channels.
    public static let stereo = Self(rawValue: "Stereo")
  }
}
