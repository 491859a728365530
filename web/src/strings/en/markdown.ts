/** Text in Markdown documents. */
export const strings = {
  image: 'Image',
  done: 'Done',
  notDone: 'Not done',
  table: 'Table',
  codeBlock: 'Code',
}
