import { withUser } from './service.ts'

/** Bytes of a file. */
export interface UploadProgress {
  sent: number
  total: number
}

/**
 * A `fetch` that reports upload progress, which the browser's own cannot. The body must be a file or text. Rejects
 * like `fetch`: with the reason of the signal, or a `TypeError` if the connection fails.
 */
export const uploadFetch = (onProgress: (progress: UploadProgress) => void): typeof fetch =>
  function fetchWithProgress(address, init) {
    const { method = 'GET', headers, body, signal } = withUser(init)
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, address instanceof Request ? address.url : address)
      request.responseType = 'blob'
      new Headers(headers).forEach((value, name) => {
        request.setRequestHeader(name, value)
      })
      request.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total })
      // The last progress event may come before the last bytes.
      request.upload.onload = ({ loaded }) => onProgress({ sent: loaded, total: loaded })
      request.onload = () => resolve(responseOf(request))
      request.onerror = () => reject(new TypeError('The connection failed.'))
      request.onabort = () =>
        reject(signal?.reason ?? new DOMException('The request was canceled.', 'AbortError'))
      if (signal?.aborted) return reject(signal.reason)
      signal?.addEventListener('abort', () => request.abort(), { once: true })
      request.send(body as XMLHttpRequestBodyInit | null)
    })
  }

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const { status, statusText, response } = request
  return new Response(response as Blob, { status, statusText, headers })
}
