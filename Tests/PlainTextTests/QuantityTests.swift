// SPDX-License-Identifier: Apache-2.0
import PlainText
import Testing

@Suite("Quantities that people type")
struct QuantityTests {
  @Test(
    "frequencies are hertz, kilohertz or notes",
    arguments: [
      ("440", 440), ("440,5", 440.5), ("1k", 1_000), ("1.5 kHz", 1_500), ("20 HZ", 20),
      ("1e3", 1_000), ("A4", 440), ("a3", 220), ("A0", 27.5), ("c#5", 554.3652619537442),
      ("D♭5", 554.3652619537442), ("Bb3", 233.08188075904496), ("C-1", 8.175798915643707),
      ("-3", -3),
    ])
  func frequency(text: String, value: Double) throws {
    let read = try #require(Quantity.frequency().value(of: text))
    #expect(abs(read / value - 1) < 1e-14)
  }

  @Test("notes follow the tuning")
  func tuning() {
    #expect(Quantity.frequency(a4: 442).value(of: "A5") == 884)
  }

  @Test("times are seconds, parts and multiples of them")
  func seconds() {
    let texts = ["2", "250ms", "10 µs", "1.5s", "2min", "1h"]
    let values = texts.map { Quantity.seconds.value(of: $0) }
    #expect(values == [2, 0.25, 1e-5, 1.5, 120, 3_600])
  }

  @Test("levels, shares and rates may carry their unit")
  func units() {
    #expect(Quantity.decibels.value(of: "-6dB") == -6)
    #expect(Quantity.decibels.value(of: "−6 dBFS") == -6)
    #expect(Quantity.percent.value(of: "25 %") == 25)
    #expect(Quantity.sampleRate.value(of: "44.1k") == 44_100)
    #expect(Quantity.number.value(of: "0.5") == 0.5)
  }

  @Test("gains are factors, shares or decibels")
  func gains() throws {
    #expect(Quantity.gain.value(of: "0.5") == 0.5)
    #expect(Quantity.gain.value(of: "50%") == 0.5)
    #expect(Quantity.gain.value(of: "20 dB") == 10)
    let half = try #require(Quantity.gain.value(of: "-6dB"))
    #expect(abs(half - 0.501187233627272) < 1e-14)
    #expect(Quantity.gain.value(of: "1s") == nil)
  }

  @Test("milliseconds may be said in seconds")
  func milliseconds() {
    let values = ["40", "40ms", "0.04 s", "500µs"].map { Quantity.milliseconds.value(of: $0) }
    #expect(values == [40, 40, 40, 0.5])
  }

  @Test(
    "text that is not a number of the kind is refused",
    arguments: [
      "", " ", "x", "1x", "1kk", "nan", "inf", "0x10", "1e", "1e999", "H4", "A", "A99", "A###4",
      "1.2.3", "1,2,3", "--1", "dB",
    ])
  func wrong(text: String) {
    #expect(Quantity.frequency().value(of: text) == nil)
    #expect(Quantity.decibels.value(of: text) == nil)
    #expect(Quantity.seconds.value(of: text) == nil)
    #expect(Quantity.gain.value(of: text) == nil)
  }

  @Test("a note is no level and no time")
  func notes() {
    #expect(Quantity.decibels.value(of: "A4") == nil)
    #expect(Quantity.seconds.value(of: "E4") == nil)
  }
}
