import { notifications } from '@mantine/notifications'
import { strings } from '#strings/files.ts'
import { developmentUser } from '#web/api/development-user.ts'
import { withUser } from '#web/api/service.ts'
import { saveFile } from '#web/browser/save-file.ts'

interface ContentOptions {
  /** Without one, the newest. */
  version?: number
  /** Whether the browser shows it, which it may do with PDFs and images only. */
  isInline?: boolean
}

/** The address of the content of a file. */
export function contentAddress(id: string, { version, isInline = false }: ContentOptions = {}): string {
  const query = new URLSearchParams({
    ...(version !== undefined && { version: String(version) }),
    disposition: isInline ? 'inline' : 'attachment',
  })
  return `/api/files/${encodeURIComponent(id)}/content?${query}`
}

export const attachmentAddress = (id: string, index: number): string =>
  `/api/files/${encodeURIComponent(id)}/attachments/${index}/content`

/**
 * The props of a link that saves a file as it arrives, however large it is. A user who was chosen in development is known
 * only to requests with a header, which links do not send.
 */
export const downloadLink = (address: string, name: string) => ({
  component: 'a' as const,
  href: address,
  download: name,
  onClick: (event: { preventDefault: () => void }) => {
    if (developmentUser() === null) return
    event.preventDefault()
    fetch(address, withUser())
      .then((response) => (response.ok ? response.blob() : Promise.reject(new Error(response.statusText))))
      .then((file) => saveFile(file, name))
      .catch(() => notifications.show({ color: 'red', message: strings.downloadFailed(name) }))
  },
})
