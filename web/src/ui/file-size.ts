import { strings } from '#strings/files.ts'

const KILOBYTE = 1024

/** A number of bytes as people read it. */
export function formatFileSize(bytes: number): string {
  if (bytes < KILOBYTE) return strings.bytes(Math.round(bytes))
  const kilobytes = Math.round(bytes / KILOBYTE)
  return kilobytes < KILOBYTE
    ? strings.kilobytes(kilobytes)
    : strings.megabytes(Math.round(bytes / KILOBYTE / 102.4) / 10)
}
