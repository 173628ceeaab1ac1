// SPDX-License-Identifier: Apache-2.0
// CoreAudio exports the rest: the headers, and Foundation, because much code for Apple's systems
// imports only AudioToolbox and calls `sin` and `sleep`. A direct export of the headers would add
// Core Foundation's own classes beside the names of CoreAudio (CoreFoundationNames.swift).
@_exported import CoreAudio
