// SPDX-License-Identifier: Apache-2.0
// Everything else comes by way of it: the headers, and Foundation, as much code written for other
// systems imports nothing else and calls `sin` and `sleep`. By another way Core Foundation's own
// classes would stand beside the names that CoreAudio gives them (CoreFoundationNames.swift).
@_exported import CoreAudio
