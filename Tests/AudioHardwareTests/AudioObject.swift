// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport

/// The objects of these tests are those that programs see.
typealias AudioObject = AudioTestSupport.AudioObject
