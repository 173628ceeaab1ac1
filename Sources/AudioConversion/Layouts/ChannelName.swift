// SPDX-License-Identifier: Apache-2.0
package import CAudioToolbox

/// The names of channels.
package enum ChannelName {
  /// The full name of a label, "Left Surround".
  package static func name(of label: AudioChannelLabel) -> String {
    if let row = rows.first(where: { $0.label == label }) { return row.name }
    return numbered(label).map { "\($0.kind) \($0.number)" } ?? "Channel \(label)"
  }

  /// The short name of a label, "Ls".
  package static func shortName(of label: AudioChannelLabel) -> String {
    if let row = rows.first(where: { $0.label == label }) { return row.short }
    return numbered(label).map { "\($0.kind.prefix(1))\($0.number)" } ?? "\(label)"
  }

  /// The label of a short name.
  package static func label(of shortName: String) -> AudioChannelLabel? {
    rows.first { $0.short == shortName }?.label
  }

  private static func numbered(_ label: AudioChannelLabel) -> (kind: String, number: UInt32)? {
    switch label >> 16 {
    case 1: ("Discrete", label & 0xFFFF)
    case 2: ("HOA", label & 0xFFFF)
    default: nil
    }
  }

  private static let rows: [(label: AudioChannelLabel, short: String, name: String)] = [
    (kAudioChannelLabel_Unknown, "?", "Unknown"),
    (kAudioChannelLabel_Unused, "-", "Unused"),
    (kAudioChannelLabel_Left, "L", "Left"),
    (kAudioChannelLabel_Right, "R", "Right"),
    (kAudioChannelLabel_Center, "C", "Center"),
    (kAudioChannelLabel_LFEScreen, "LFE", "LFE"),
    (kAudioChannelLabel_LeftSurround, "Ls", "Left Surround"),
    (kAudioChannelLabel_RightSurround, "Rs", "Right Surround"),
    (kAudioChannelLabel_LeftCenter, "Lc", "Left Center"),
    (kAudioChannelLabel_RightCenter, "Rc", "Right Center"),
    (kAudioChannelLabel_CenterSurround, "Cs", "Center Surround"),
    (kAudioChannelLabel_LeftSurroundDirect, "Lsd", "Left Surround Direct"),
    (kAudioChannelLabel_RightSurroundDirect, "Rsd", "Right Surround Direct"),
    (kAudioChannelLabel_TopCenterSurround, "Ts", "Top Center Surround"),
    (kAudioChannelLabel_VerticalHeightLeft, "Vhl", "Vertical Height Left"),
    (kAudioChannelLabel_VerticalHeightCenter, "Vhc", "Vertical Height Center"),
    (kAudioChannelLabel_VerticalHeightRight, "Vhr", "Vertical Height Right"),
    (kAudioChannelLabel_TopBackLeft, "Tbl", "Top Back Left"),
    (kAudioChannelLabel_TopBackCenter, "Tbc", "Top Back Center"),
    (kAudioChannelLabel_TopBackRight, "Tbr", "Top Back Right"),
    (kAudioChannelLabel_RearSurroundLeft, "Rls", "Rear Surround Left"),
    (kAudioChannelLabel_RearSurroundRight, "Rrs", "Rear Surround Right"),
    (kAudioChannelLabel_LeftWide, "Lw", "Left Wide"),
    (kAudioChannelLabel_RightWide, "Rw", "Right Wide"),
    (kAudioChannelLabel_LFE2, "LFE2", "LFE 2"),
    (kAudioChannelLabel_LeftTotal, "Lt", "Left Total"),
    (kAudioChannelLabel_RightTotal, "Rt", "Right Total"),
    (kAudioChannelLabel_HearingImpaired, "HI", "Hearing Impaired"),
    (kAudioChannelLabel_Narration, "N", "Narration"),
    (kAudioChannelLabel_Mono, "M", "Mono"),
    (kAudioChannelLabel_DialogCentricMix, "DCM", "Dialog Centric Mix"),
    (kAudioChannelLabel_CenterSurroundDirect, "Csd", "Center Surround Direct"),
    (kAudioChannelLabel_Haptic, "Hap", "Haptic"),
    (kAudioChannelLabel_LeftTopMiddle, "Ltm", "Left Top Middle"),
    (kAudioChannelLabel_RightTopMiddle, "Rtm", "Right Top Middle"),
    (kAudioChannelLabel_LeftTopRear, "Ltr", "Left Top Rear"),
    (kAudioChannelLabel_CenterTopRear, "Ctr", "Center Top Rear"),
    (kAudioChannelLabel_RightTopRear, "Rtr", "Right Top Rear"),
    (kAudioChannelLabel_Ambisonic_W, "aW", "Ambisonic W"),
    (kAudioChannelLabel_Ambisonic_X, "aX", "Ambisonic X"),
    (kAudioChannelLabel_Ambisonic_Y, "aY", "Ambisonic Y"),
    (kAudioChannelLabel_Ambisonic_Z, "aZ", "Ambisonic Z"),
    (kAudioChannelLabel_MS_Mid, "Mid", "Mid"),
    (kAudioChannelLabel_MS_Side, "Side", "Side"),
    (kAudioChannelLabel_XY_X, "X", "X"),
    (kAudioChannelLabel_XY_Y, "Y", "Y"),
    (kAudioChannelLabel_BinauralLeft, "Bl", "Binaural Left"),
    (kAudioChannelLabel_BinauralRight, "Br", "Binaural Right"),
    (kAudioChannelLabel_HeadphonesLeft, "Hl", "Headphones Left"),
    (kAudioChannelLabel_HeadphonesRight, "Hr", "Headphones Right"),
    (kAudioChannelLabel_ClickTrack, "Clk", "Click Track"),
    (kAudioChannelLabel_ForeignLanguage, "FL", "Foreign Language"),
  ]
}
