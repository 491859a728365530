/**
 * A form as RFC 7578 defines it: the fields, then the file. `FormData` has another boundary each time it is sent, so the
 * service would not recognize a repeated request. The file is not read before it is sent.
 */
export function multipartForm(file: File, fields: Record<string, string>): { type: string; body: Blob } {
  const random = [...crypto.getRandomValues(new Uint8Array(16))]
  const boundary = `form-${random.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  const settings = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head =
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quoted(file.name)}"\r\n` +
    'content-type: application/octet-stream\r\n\r\n'
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: new Blob([...settings, head, file, `\r\n--${boundary}--\r\n`]),
  }
}

/** A file name as browsers write it (HTML, multipart form data). */
const quoted = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
