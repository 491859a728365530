import { isUtf8 } from 'node:buffer'
import { yieldToEventLoop } from '#src/platform/event-loop.ts'
import type { ByteSurvey } from './byte-survey.ts'
import { decode, type Encoding, encode, encodingNamed } from './encodings.ts'
import { oddness } from './plausibility.ts'

export interface DetectedEncoding {
  encoding: Encoding
  /** Whether the file states it, or its bytes mean nothing in others. */
  isCertain: boolean
}

/** The name of each encoding that is recognized in jschardet, and how much rarer it is than others (as a logarithm). */
const CANDIDATES: Record<string, { detector: string; rarity: number }> = {
  'windows-1252': { detector: 'windows-1252', rarity: 0 },
  'windows-1250': { detector: 'windows-1250', rarity: 0.2 },
  'windows-1251': { detector: 'windows-1251', rarity: 0 },
  'windows-1253': { detector: 'windows-1253', rarity: 0.2 },
  'windows-1254': { detector: 'windows-1254', rarity: 0.3 },
  'windows-1255': { detector: 'windows-1255', rarity: 0.3 },
  'windows-1256': { detector: 'windows-1256', rarity: 0.3 },
  'windows-1257': { detector: 'windows-1257', rarity: 0.2 },
  'windows-874': { detector: 'cp874', rarity: 0.3 },
  'iso-8859-2': { detector: 'iso-8859-2', rarity: 0.4 },
  'iso-8859-5': { detector: 'iso-8859-5', rarity: 0.8 },
  'iso-8859-7': { detector: 'iso-8859-7', rarity: 0.6 },
  'koi8-r': { detector: 'koi8-r', rarity: 0.4 },
  cp437: { detector: 'cp437', rarity: 0.8 },
  cp850: { detector: 'cp850', rarity: 0.3 },
  cp852: { detector: 'cp852', rarity: 0.6 },
  cp866: { detector: 'ibm866', rarity: 0.3 },
  macintosh: { detector: 'macroman', rarity: 0.4 },
  gb18030: { detector: 'gb18030', rarity: 0 },
  big5: { detector: 'big5', rarity: 0 },
  shift_jis: { detector: 'cp932', rarity: 0 },
  'euc-jp': { detector: 'euc-jp', rarity: 0.1 },
  'euc-kr': { detector: 'cp949', rarity: 0 },
}

/** Recognizes the encoding of a text from its mark, its zeros, or the bytes of its whole length that are not ASCII. */
export async function detectEncoding(survey: ByteSurvey): Promise<DetectedEncoding> {
  const stated = markedEncoding(survey.start) ?? wideEncoding(survey)
  if (stated) return { encoding: encodingNamed(stated), isCertain: true }
  if (survey.isUtf8 || isMostlyUtf8(survey.sample))
    return { encoding: encodingNamed('utf-8'), isCertain: true }
  return { encoding: await likeliestEncoding(survey.sample), isCertain: false }
}

const MARKS: [mark: number[], encoding: string][] = [
  [[0xff, 0xfe, 0, 0], 'utf-32le'],
  [[0, 0, 0xfe, 0xff], 'utf-32be'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xef, 0xbb, 0xbf], 'utf-8'],
]

const markedEncoding = (start: Buffer): string | undefined =>
  MARKS.find(([mark]) => mark.every((byte, index) => start[index] === byte))?.[1]

/** UTF-16 or UTF-32 without a mark: delimiters, line ends and plain letters have a zero on one side. */
function wideEncoding({ bytes, zeros, start }: ByteSurvey): string | undefined {
  const { even, odd } = zeros
  if (even + odd < bytes * 0.02) return undefined
  if (bytes % 4 === 0 && hasZeros(start, [3, 2])) return 'utf-32le'
  if (bytes % 4 === 0 && hasZeros(start, [0, 1])) return 'utf-32be'
  if (bytes % 2 === 1) return undefined
  if (odd > 9 * even) return 'utf-16le'
  return even > 9 * odd ? 'utf-16be' : undefined
}

/** Whether nearly all groups of four bytes have zeros in these places. */
function hasZeros(start: Buffer, positions: number[]): boolean {
  let count = 0
  const groups = Math.min(1024, Math.floor(start.length / 4))
  for (let group = 0; group < groups; group++)
    if (positions.every((position) => start[group * 4 + position] === 0)) count += 1
  return count > groups * 0.95
}

/** Whether a fair part of the words is UTF-8, which in other encodings happens by chance only. */
function isMostlyUtf8(sample: Buffer): boolean {
  const words = sample
    .toString('latin1')
    .split(/[^A-Za-z\x80-\xff]+/)
    .filter((word) => /[\x80-\xff]/.test(word))
  const valid = words.filter((word) => isUtf8(Buffer.from(word, 'latin1'))).length
  return valid > 0 && valid >= 0.3 * (words.length - valid)
}

const SMALL_CONFIDENCE = 0.003
/** How much oddness outweighs confidence. */
const ODDNESS_WEIGHT = 8

async function likeliestEncoding(sample: Buffer): Promise<Encoding> {
  if (isKorean(sample)) return encodingNamed('euc-kr')
  const confidence = await confidences(sample)
  let best: { encoding: Encoding; score: number } | undefined
  for (const [name, { detector, rarity }] of Object.entries(CANDIDATES)) {
    const encoding = encodingNamed(name)
    const likelihood = Math.max(confidence.get(detector) ?? 0, SMALL_CONFIDENCE)
    const score = Math.log(likelihood) - rarity - ODDNESS_WEIGHT * oddnessIn(sample, encoding)
    if (!best || score > best.score) best = { encoding, score }
    await yieldToEventLoop()
  }
  return best?.encoding ?? encodingNamed('windows-1252')
}

const MIN_SYLLABLES = 4

/**
 * Whether nearly all bytes are syllables of KS X 1001 (0xB0 to 0xC8, then 0xA1 or more), besides its signs. In Chinese
 * or Russian text, half of the bytes are others.
 */
function isKorean(sample: Buffer): boolean {
  const bytes = sample.toString('latin1').replace(/[\xa1-\xac][\xa1-\xfe]/g, '')
  const syllables = bytes.match(/[\xb0-\xc8][\xa1-\xfe]/g)?.length ?? 0
  const others = bytes.replace(/[\xb0-\xc8][\xa1-\xfe]/g, '').match(/[\x80-\xff]/g)?.length ?? 0
  return syllables >= MIN_SYLLABLES && others <= 0.1 * syllables
}

function oddnessIn(sample: Buffer, encoding: Encoding): number {
  const text = decode(sample, encoding)
  const chinese = encoding.name === 'euc-kr' ? (text.match(/\p{Script=Han}/gu)?.length ?? 0) : 0
  return oddness(text) + (0.5 * chinese) / text.length
}

/** What is read in small letters, because the detector knows few words in capitals. */
const LOWER_CASE_BYTES = 2048

/** By the name in jschardet, which takes a moment to load. */
async function confidences(sample: Buffer): Promise<Map<string, number>> {
  const { detectAll } = await import('jschardet')
  const detectors = Object.values(CANDIDATES).map(({ detector }) => detector)
  const found = new Map<string, number>()
  const add = (bytes: Buffer, detectEncodings: string[]) => {
    for (const { encoding, confidence } of detectAll(bytes, { detectEncodings, minimumThreshold: 0 })) {
      const name = encoding?.toLowerCase() ?? ''
      if (detectEncodings[0] === name || detectEncodings.length > 2)
        found.set(name, Math.max(found.get(name) ?? 0, confidence))
    }
  }
  add(sample, detectors)
  for (const [name, { detector }] of Object.entries(CANDIDATES)) {
    await yieldToEventLoop()
    const text = decode(sample.subarray(0, LOWER_CASE_BYTES), encodingNamed(name))
    // Without windows-1252 in the list, jschardet writes a warning to the log.
    if (text !== text.toLowerCase())
      add(encode(text.toLowerCase(), encodingNamed(name)), [detector, 'windows-1252'])
  }
  return found
}
