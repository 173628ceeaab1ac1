// SPDX-License-Identifier: Apache-2.0
internal import CAudioToolbox

/// The layouts that have a tag, with the short names of their channels in order.
enum LayoutTable {
  /// The channels of a tag; nil if the tag does not define them.
  static func labels(of tag: AudioChannelLayoutTag) -> [AudioChannelLabel]? {
    known.first { $0.tag == tag }?.labels
  }

  /// The first tag with these channels in this order.
  static func tag(of labels: [AudioChannelLabel]) -> AudioChannelLayoutTag? {
    known.first { $0.labels == labels }?.tag
  }

  /// The tags of layouts with this many channels.
  static func tags(channelCount: Int) -> [AudioChannelLayoutTag] {
    known.filter { $0.labels.count == channelCount }.map(\.tag)
  }

  private static let known = rows.map { row in
    (
      tag: row.tag,
      labels: row.channels.split(separator: " ").map {
        ChannelName.label(of: String($0)) ?? kAudioChannelLabel_Unknown
      }
    )
  }

  private static let rows: [(tag: AudioChannelLayoutTag, channels: String)] = [
    (kAudioChannelLayoutTag_Mono, "M"),
    (kAudioChannelLayoutTag_Stereo, "L R"),
    (kAudioChannelLayoutTag_StereoHeadphones, "Hl Hr"),
    (kAudioChannelLayoutTag_MatrixStereo, "Lt Rt"),
    (kAudioChannelLayoutTag_MidSide, "Mid Side"),
    (kAudioChannelLayoutTag_XY, "X Y"),
    (kAudioChannelLayoutTag_Binaural, "Bl Br"),
    (kAudioChannelLayoutTag_Ambisonic_B_Format, "aW aX aY aZ"),
    (kAudioChannelLayoutTag_Quadraphonic, "L R Ls Rs"),
    (kAudioChannelLayoutTag_Pentagonal, "L R Ls Rs C"),
    (kAudioChannelLayoutTag_Hexagonal, "L R Ls Rs C Cs"),
    (kAudioChannelLayoutTag_Octagonal, "L R Rls Rrs C Cs Ls Rs"),
    (kAudioChannelLayoutTag_Cube, "L R Ls Rs Vhl Vhr Ltr Rtr"),
    (kAudioChannelLayoutTag_MPEG_3_0_A, "L R C"),
    (kAudioChannelLayoutTag_MPEG_3_0_B, "C L R"),
    (kAudioChannelLayoutTag_MPEG_4_0_A, "L R C Cs"),
    (kAudioChannelLayoutTag_MPEG_4_0_B, "C L R Cs"),
    (kAudioChannelLayoutTag_MPEG_5_0_A, "L R C Ls Rs"),
    (kAudioChannelLayoutTag_MPEG_5_0_B, "L R Ls Rs C"),
    (kAudioChannelLayoutTag_MPEG_5_0_C, "L C R Ls Rs"),
    (kAudioChannelLayoutTag_MPEG_5_0_D, "C L R Ls Rs"),
    (kAudioChannelLayoutTag_MPEG_5_0_E, "L R Rls Rrs C"),
    (kAudioChannelLayoutTag_MPEG_5_1_A, "L R C LFE Ls Rs"),
    (kAudioChannelLayoutTag_MPEG_5_1_B, "L R Ls Rs C LFE"),
    (kAudioChannelLayoutTag_MPEG_5_1_C, "L C R Ls Rs LFE"),
    (kAudioChannelLayoutTag_MPEG_5_1_D, "C L R Ls Rs LFE"),
    (kAudioChannelLayoutTag_MPEG_5_1_E, "L R Rls Rrs C LFE"),
    (kAudioChannelLayoutTag_MPEG_6_1_A, "L R C LFE Ls Rs Cs"),
    (kAudioChannelLayoutTag_MPEG_6_1_B, "L R Ls Rs C Cs LFE"),
    (kAudioChannelLayoutTag_MPEG_7_1_A, "L R C LFE Ls Rs Lc Rc"),
    (kAudioChannelLayoutTag_MPEG_7_1_B, "C Lc Rc L R Ls Rs LFE"),
    (kAudioChannelLayoutTag_MPEG_7_1_C, "L R C LFE Ls Rs Rls Rrs"),
    (kAudioChannelLayoutTag_MPEG_7_1_D, "L R Rls Rrs Ls Rs C LFE"),
    (kAudioChannelLayoutTag_Emagic_Default_7_1, "L R Ls Rs C LFE Lc Rc"),
    (kAudioChannelLayoutTag_SMPTE_DTV, "L R C LFE Ls Rs Lt Rt"),
    (kAudioChannelLayoutTag_ITU_2_1, "L R Cs"),
    (kAudioChannelLayoutTag_ITU_2_2, "L R Ls Rs"),
    (kAudioChannelLayoutTag_DVD_4, "L R LFE"),
    (kAudioChannelLayoutTag_DVD_5, "L R LFE Cs"),
    (kAudioChannelLayoutTag_DVD_6, "L R LFE Ls Rs"),
    (kAudioChannelLayoutTag_DVD_10, "L R C LFE"),
    (kAudioChannelLayoutTag_DVD_11, "L R C LFE Cs"),
    (kAudioChannelLayoutTag_DVD_18, "L R Ls Rs LFE"),
    (kAudioChannelLayoutTag_AudioUnit_6_0, "L R Ls Rs C Cs"),
    (kAudioChannelLayoutTag_AudioUnit_7_0, "L R Ls Rs C Rls Rrs"),
    (kAudioChannelLayoutTag_AudioUnit_7_0_Front, "L R Ls Rs C Lc Rc"),
    (kAudioChannelLayoutTag_AAC_6_0, "C L R Ls Rs Cs"),
    (kAudioChannelLayoutTag_AAC_6_1, "C L R Ls Rs Cs LFE"),
    (kAudioChannelLayoutTag_AAC_7_0, "C L R Ls Rs Rls Rrs"),
    (kAudioChannelLayoutTag_AAC_7_1_B, "C L R Ls Rs Rls Rrs LFE"),
    (kAudioChannelLayoutTag_AAC_7_1_C, "C L R Ls Rs LFE Vhl Vhr"),
    (kAudioChannelLayoutTag_AAC_Octagonal, "C L R Ls Rs Rls Rrs Cs"),
    (kAudioChannelLayoutTag_TMH_10_2_std, "L R C Vhc Lsd Rsd Ls Rs Vhl Vhr Lw Rw Csd Cs LFE LFE2"),
    (kAudioChannelLayoutTag_AC3_1_0_1, "C LFE"),
    (kAudioChannelLayoutTag_AC3_3_0, "L C R"),
    (kAudioChannelLayoutTag_AC3_3_1, "L C R Cs"),
    (kAudioChannelLayoutTag_AC3_3_0_1, "L C R LFE"),
    (kAudioChannelLayoutTag_AC3_2_1_1, "L R Cs LFE"),
    (kAudioChannelLayoutTag_AC3_3_1_1, "L C R Cs LFE"),
    (kAudioChannelLayoutTag_EAC_6_0_A, "L C R Ls Rs Cs"),
    (kAudioChannelLayoutTag_EAC_7_0_A, "L C R Ls Rs Rls Rrs"),
    (kAudioChannelLayoutTag_EAC3_6_1_A, "L C R Ls Rs LFE Cs"),
    (kAudioChannelLayoutTag_EAC3_6_1_B, "L C R Ls Rs LFE Ts"),
    (kAudioChannelLayoutTag_EAC3_6_1_C, "L C R Ls Rs LFE Vhc"),
    (kAudioChannelLayoutTag_EAC3_7_1_A, "L C R Ls Rs LFE Rls Rrs"),
    (kAudioChannelLayoutTag_EAC3_7_1_B, "L C R Ls Rs LFE Lc Rc"),
    (kAudioChannelLayoutTag_EAC3_7_1_C, "L C R Ls Rs LFE Lsd Rsd"),
    (kAudioChannelLayoutTag_EAC3_7_1_D, "L C R Ls Rs LFE Lw Rw"),
    (kAudioChannelLayoutTag_EAC3_7_1_E, "L C R Ls Rs LFE Vhl Vhr"),
    (kAudioChannelLayoutTag_EAC3_7_1_F, "L C R Ls Rs LFE Cs Ts"),
    (kAudioChannelLayoutTag_EAC3_7_1_G, "L C R Ls Rs LFE Cs Vhc"),
    (kAudioChannelLayoutTag_EAC3_7_1_H, "L C R Ls Rs LFE Ts Vhc"),
    (kAudioChannelLayoutTag_DTS_3_1, "C L R LFE"),
    (kAudioChannelLayoutTag_DTS_4_1, "C L R Cs LFE"),
    (kAudioChannelLayoutTag_DTS_6_0_A, "Lc Rc L R Ls Rs"),
    (kAudioChannelLayoutTag_DTS_6_0_B, "C L R Rls Rrs Ts"),
    (kAudioChannelLayoutTag_DTS_6_0_C, "C Cs L R Rls Rrs"),
    (kAudioChannelLayoutTag_DTS_6_1_A, "Lc Rc L R Ls Rs LFE"),
    (kAudioChannelLayoutTag_DTS_6_1_B, "C L R Rls Rrs Ts LFE"),
    (kAudioChannelLayoutTag_DTS_6_1_C, "C Cs L R Rls Rrs LFE"),
    (kAudioChannelLayoutTag_DTS_6_1_D, "C L R Ls Rs LFE Cs"),
    (kAudioChannelLayoutTag_DTS_7_0, "Lc C Rc L R Ls Rs"),
    (kAudioChannelLayoutTag_DTS_7_1, "Lc C Rc L R Ls Rs LFE"),
    (kAudioChannelLayoutTag_DTS_8_0_A, "Lc Rc L R Ls Rs Rls Rrs"),
    (kAudioChannelLayoutTag_DTS_8_0_B, "Lc C Rc L R Ls Cs Rs"),
    (kAudioChannelLayoutTag_DTS_8_1_A, "Lc Rc L R Ls Rs Rls Rrs LFE"),
    (kAudioChannelLayoutTag_DTS_8_1_B, "Lc C Rc L R Ls Cs Rs LFE"),
    (kAudioChannelLayoutTag_WAVE_4_0_B, "L R Rls Rrs"),
    (kAudioChannelLayoutTag_WAVE_5_0_B, "L R C Rls Rrs"),
    (kAudioChannelLayoutTag_WAVE_5_1_B, "L R C LFE Rls Rrs"),
    (kAudioChannelLayoutTag_WAVE_6_1, "L R C LFE Cs Ls Rs"),
    (kAudioChannelLayoutTag_WAVE_7_1, "L R C LFE Rls Rrs Ls Rs"),
    (kAudioChannelLayoutTag_Atmos_5_1_2, "L R C LFE Ls Rs Ltm Rtm"),
    (kAudioChannelLayoutTag_Atmos_5_1_4, "L R C LFE Ls Rs Vhl Vhr Ltr Rtr"),
    (kAudioChannelLayoutTag_Atmos_7_1_2, "L R C LFE Ls Rs Rls Rrs Ltm Rtm"),
    (kAudioChannelLayoutTag_Atmos_7_1_4, "L R C LFE Ls Rs Rls Rrs Vhl Vhr Ltr Rtr"),
    (kAudioChannelLayoutTag_Atmos_9_1_6, "L R C LFE Ls Rs Rls Rrs Lw Rw Vhl Vhr Ltm Rtm Ltr Rtr"),
    (kAudioChannelLayoutTag_Ogg_5_0, "L C R Rls Rrs"),
    (kAudioChannelLayoutTag_Ogg_5_1, "L C R Rls Rrs LFE"),
    (kAudioChannelLayoutTag_Ogg_6_1, "L C R Ls Rs Cs LFE"),
    (kAudioChannelLayoutTag_Ogg_7_1, "L C R Ls Rs Rls Rrs LFE"),
  ]
}
