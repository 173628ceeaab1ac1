// SPDX-License-Identifier: Apache-2.0
// By way of CoreAudio: a second way to the headers would make CFString and its like ambiguous in a file
// that imports both.
@_exported import CoreAudio
