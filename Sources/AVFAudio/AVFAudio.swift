// SPDX-License-Identifier: Apache-2.0
@_exported import AudioSessions
@_exported import AudioToolbox
@_exported import AudioValues
