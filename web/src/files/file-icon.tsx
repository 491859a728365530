import { ThemeIcon } from '@mantine/core'
import {
  IconFile,
  IconFileSpreadsheet,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconMail,
  IconPhoto,
  IconPresentation,
} from '@tabler/icons-react'
import type { FileRecord } from '#web/api/service.ts'
import { type FileKind, kindOf } from './file-kind.ts'

const ICONS: Record<FileKind, [Icon: typeof IconFile, color: string]> = {
  pdf: [IconFileTypePdf, 'red'],
  document: [IconFileText, 'blue'],
  presentation: [IconPresentation, 'orange'],
  spreadsheet: [IconFileSpreadsheet, 'teal'],
  email: [IconMail, 'ink'],
  image: [IconPhoto, 'grape'],
  archive: [IconFileZip, 'yellow'],
  text: [IconFileText, 'gray'],
  other: [IconFile, 'gray'],
}

/** The icon of the kind of a file. Decorative: the kind is beside it in words. */
export function FileIcon({ file, size = 32 }: { file: Pick<FileRecord, 'type'>; size?: number }) {
  const [Icon, color] = ICONS[kindOf(file)]
  return (
    <ThemeIcon variant="light" color={color} size={size} radius="md" aria-hidden>
      <Icon size={size * 0.56} stroke={1.7} />
    </ThemeIcon>
  )
}
