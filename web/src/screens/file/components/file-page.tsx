import { Button, Group } from '@mantine/core'
import { IconArrowLeft, IconDownload, IconUpload } from '@tabler/icons-react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { strings } from '#strings/files.ts'
import { AboutLinks } from '#web/activity/record-links.tsx'
import type { FileRecord } from '#web/api/service.ts'
import { contentAddress, downloadLink } from '#web/files/file-address.ts'
import { FileIcon } from '#web/files/file-icon.tsx'
import { kindOf } from '#web/files/file-kind.ts'
import { FileMenu } from '#web/files/file-menu.tsx'
import { canOpen, FileState, PrivateBadge } from '#web/files/file-state.tsx'
import { FileText } from '#web/files/preview/file-text.tsx'
import { hasPlainText, VersionText } from '#web/files/preview/version-text.tsx'
import { useFileActions } from '#web/files/use-file-actions.ts'
import { Facts } from '#web/ui/facts.tsx'
import { formatFileSize } from '#web/ui/file-size.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { RecordLayout } from '#web/ui/record-layout.tsx'
import type { FileSearch } from '../file-search.ts'
import { asOf, type FileVersion } from '../file-version.ts'
import { FileContent, hasContent } from './file-content.tsx'
import { FileProperties } from './file-properties.tsx'
import { FileVersions } from './file-versions.tsx'
import { MarkedWords } from './marked-words.tsx'
import { VersionNotice } from './version-notice.tsx'

const route = getRouteApi('/shell/files/$id')

/** A file: its preview and its text, and beside them what it is about, and its versions. */
export function FilePage({ file: current, earlier }: { file: FileRecord; earlier?: FileVersion }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const leave = useNavigate()
  const { mayChange, addVersion } = useFileActions(current)
  const file = earlier ? asOf(current, earlier) : current
  const { page = 1, search: query = '' } = search
  const words = query.split(/\s+/).filter(Boolean)
  const set = (changes: FileSearch) =>
    navigate({ search: { ...search, ...changes }, replace: true, resetScroll: false })
  const goTo = (to: number) => {
    const { page: _left, ...others } = search
    navigate({ search: to > 1 ? { ...others, page: to } : others, replace: true, resetScroll: false })
  }
  const marked = query !== '' && (
    <MarkedWords
      words={query}
      stop={() => {
        const { search: _words, ...others } = search
        navigate({ search: others, replace: true, resetScroll: false })
      }}
    />
  )
  const preview = {
    value: 'preview',
    label: file.details ? strings.content : strings.preview,
    content: <FileContent {...{ file, page, goTo, words }}>{marked}</FileContent>,
  } as const
  const text = {
    value: 'text',
    label: strings.text,
    content: earlier ? (
      <VersionText {...file} />
    ) : (
      <FileText {...{ file, page, goTo, words }}>{marked}</FileText>
    ),
  } as const
  const isOpenable = canOpen(file)
  // The text of an email is part of its content, and that of an archive is its list.
  const [first, ...others] = earlier
    ? [hasPlainText(file) && isOpenable ? text : preview]
    : file.details || !isOpenable
      ? [preview]
      : hasContent(file)
        ? [preview, text]
        : [text]
  return (
    <>
      <Group mb="xs" className="print-hidden">
        <ScreenLink to="/files" size="sm">
          <Group gap={4} component="span">
            <IconArrowLeft size={14} aria-hidden />
            {strings.toFiles}
          </Group>
        </ScreenLink>
      </Group>
      <Page
        title={file.name}
        mark={<FileIcon file={file} size={44} />}
        description={
          <>
            <Facts
              facts={[
                strings.kinds[kindOf(file)],
                file.pages !== null && file.pages > 1 && strings.pages(file.pages),
                formatFileSize(file.size),
                (earlier || file.version > 1) && strings.version(file.version),
                <AboutLinks key="about" about={file.about} />,
              ]}
            />
            {file.visibility === 'private' && <PrivateBadge />}
            <FileState file={file} />
          </>
        }
        actions={
          <>
            {isOpenable && (
              <Button
                {...downloadLink(contentAddress(file.id, earlier), file.name)}
                leftSection={<IconDownload size={16} aria-hidden />}
              >
                {earlier ? strings.downloadVersion(earlier.version) : strings.download}
              </Button>
            )}
            {mayChange && (
              <Button
                variant="default"
                leftSection={<IconUpload size={16} aria-hidden />}
                onClick={addVersion}
              >
                {strings.uploadVersionButton}
              </Button>
            )}
            <FileMenu file={current} isPage onDeleted={() => leave({ to: '/files' })} />
          </>
        }
      >
        {earlier && <VersionNotice file={current} earlier={earlier} />}
        <RecordLayout
          label={strings.sections}
          tab={search.tab ?? first.value}
          show={(tab) => set({ tab })}
          tabs={[first, ...others]}
          rail={
            <>
              <FileProperties file={file} />
              <FileVersions file={current} shown={file.version} />
            </>
          }
        />
      </Page>
    </>
  )
}
