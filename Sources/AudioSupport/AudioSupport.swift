// SPDX-License-Identifier: Apache-2.0

// Formats and errors are named by such codes.
@_exported import struct PlainText.FourCharacterCode
