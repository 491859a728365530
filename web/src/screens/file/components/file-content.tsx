import { Button } from '@mantine/core'
import { IconDownload, IconFileOff } from '@tabler/icons-react'
import { lazy, type ReactNode } from 'react'
import { strings } from '#strings/files.ts'
import type { FileRecord } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { contentAddress, downloadLink } from '#web/files/file-address.ts'
import { canOpen } from '#web/files/file-state.tsx'
import ImagePreview from '#web/files/preview/image-preview.tsx'
import { LazyPart } from '#web/ui/lazy.tsx'
import { EmptyState, SkeletonLines } from '#web/ui/states.tsx'
import { ArchiveEntries, EmailContent } from './file-details.tsx'

// The library that draws PDFs is large.
const PdfPreview = lazy(() => import('#web/files/preview/pdf-preview.tsx'))

interface FileContentProps {
  file: FileRecord
  page: number
  goTo: (page: number) => void
  words: readonly string[]
  /** In the bar above the content. */
  children?: ReactNode
}

const TITLES: Partial<Record<FileRecord['scan_state'], string>> = {
  pending: strings.checkingTitle,
  infected: strings.quarantinedTitle,
}

/** Whether more of a file than its text can be shown. */
export const hasContent = ({ preview, details, text_state }: FileRecord): boolean =>
  preview !== null || details !== null || text_state === 'none'

/** What a file looks like: its pages, its picture, or what is in it. */
export function FileContent({ file, page, goTo, words, children }: FileContentProps) {
  const { id, name, version, preview, details } = file
  const mayDelete = useCan('delete')
  const isRead = ['done', 'none', 'pending'].includes(file.text_state)
  const reason = isRead ? null : (file.text_detail ?? strings.textStates[file.text_state] ?? null)
  const address = contentAddress(id, { version, isInline: true })
  if (details?.kind === 'email') return <EmailContent {...{ file, page, goTo, words }} email={details} />
  if (details?.kind === 'archive') return <ArchiveEntries archive={details} />
  if (preview && canOpen(file))
    return preview === 'image' ? (
      <ImagePreview address={address} name={name} />
    ) : (
      <LazyPart fallback={<SkeletonLines lines={12} />}>
        <PdfPreview {...{ address, page, goTo, words, reason }}>{children}</PdfPreview>
      </LazyPart>
    )
  return (
    <EmptyState
      icon={<IconFileOff aria-hidden />}
      title={TITLES[file.scan_state] ?? strings.noPreview}
      action={
        canOpen(file) && (
          <Button
            {...downloadLink(contentAddress(id, { version }), name)}
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {strings.download}
          </Button>
        )
      }
    >
      {canOpen(file)
        ? strings.noPreviewHelp
        : file.scan_state === 'pending'
          ? (file.scan_detail ?? strings.checkingHelp)
          : mayDelete
            ? strings.quarantinedDelete
            : strings.quarantinedHelp}
    </EmptyState>
  )
}
