import { notifications } from '@mantine/notifications'
import { strings } from '#strings/files.ts'

/** Whether files are dragged, and not a part of the page. */
export const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer !== null && [...dataTransfer.types].includes('Files')

/** The dropped files. Folders are left out, which a notice says. */
export function droppedFiles({ dataTransfer }: DragEvent): File[] {
  const items = [...(dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file')
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory === true
  if (items.some(isFolder)) notifications.show({ color: 'orange', message: strings.noFolders })
  return items.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? [])
}

/** Lets the user pick files. Nothing happens if they close the picker. */
export function pickFiles(picked: (files: File[]) => void, { isMultiple = true } = {}): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = isMultiple
  input.hidden = true
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])]
    input.remove()
    if (files.length > 0) picked(files)
  })
  input.addEventListener('cancel', () => input.remove())
  document.body.append(input)
  input.click()
}
