/** The parts of a Markdown node (mdast) that are used here. */
interface Node {
  type: string
  depth?: number
  value?: string
  alt?: string | null
  children?: Node[]
  data?: { hName?: string; hProperties?: Record<string, string> }
  [field: string]: unknown
}

export interface DocumentOptions {
  /** A first heading with this text is removed. */
  title?: string | undefined
  /** Whether headings get anchors and keep their levels. */
  hasAnchors?: boolean | undefined
  /** Texts such as `@Ada Beck` that are shown as mentions. */
  mentions?: readonly string[] | undefined
  /** Shown for an image without alt text. */
  imageText: string
}

const BLOCKS = new Set(['paragraph', 'heading', 'listItem', 'blockquote', 'tableCell'])

/**
 * A remark plugin: turns images into links, sets the text direction of each block, and optionally gives headings
 * anchors and marks mentions.
 */
export function remarkDocument(options: DocumentOptions): (tree: unknown) => void {
  const { title, hasAnchors, mentions = [], imageText } = options
  return (document) => {
    const tree = document as Node
    const taken = new Map<string, number>()
    if (title !== undefined) dropTitle(tree, title)
    if (!hasAnchors) closeLevels(tree)
    visit(tree, false)

    function visit(node: Node, isInLink: boolean): void {
      if (node.type === 'mention') return
      if (BLOCKS.has(node.type)) setProperty(node, 'dir', 'auto')
      if (hasAnchors && node.type === 'heading') setProperty(node, 'id', anchorOf(textOf(node), taken))
      const isLink = node.type === 'link' || node.type === 'linkReference'
      node.children = node.children
        ?.map((child) => withoutImage(child, isInLink || isLink, imageText))
        .flatMap((child) => withMentions(child, mentions))
      for (const child of node.children ?? []) visit(child, isInLink || isLink)
    }
  }
}

function dropTitle(tree: Node, title: string): void {
  const first = tree.children?.findIndex(({ type }) => type === 'heading') ?? -1
  const heading = tree.children?.[first]
  if (heading?.depth === 1 && textOf(heading).trim().toLowerCase() === title.trim().toLowerCase())
    tree.children?.splice(first, 1)
  else return
  // Headings below the removed one move up, so that no level is skipped.
  for (const node of tree.children ?? [])
    if (node.type === 'heading') node.depth = Math.max(1, (node.depth ?? 1) - 1)
}

/** Gives headings levels without gaps, because the headings of the page go on around them. */
function closeLevels(tree: Node): void {
  const above: number[] = []
  const visit = (node: Node): void => {
    if (node.type === 'heading') {
      const depth = node.depth ?? 1
      while ((above.at(-1) ?? 0) >= depth) above.pop()
      node.depth = above.push(depth)
    }
    for (const child of node.children ?? []) visit(child)
  }
  visit(tree)
}

function withoutImage(node: Node, isInLink: boolean, imageText: string): Node {
  if (node.type !== 'image' && node.type !== 'imageReference') return node
  const text: Node = { type: 'text', value: node.alt || imageText }
  if (isInLink) return text
  return { ...node, type: node.type === 'image' ? 'link' : 'linkReference', children: [text] }
}

/** Splits a text at its first mention, and what follows in the same way. */
function withMentions(node: Node, mentions: readonly string[]): Node[] {
  const value = node.value ?? ''
  const found = node.type === 'text' ? mentions.filter((mention) => value.includes(mention)) : []
  const [mention] = found.toSorted((a, b) => value.indexOf(a) - value.indexOf(b) || b.length - a.length)
  if (mention === undefined) return [node]
  const at = value.indexOf(mention)
  const rest: Node = { type: 'text', value: value.slice(at + mention.length) }
  return [
    { type: 'text', value: value.slice(0, at) },
    { type: 'mention', children: [{ type: 'text', value: mention }], data: { hName: 'strong' } },
    ...withMentions(rest, mentions),
  ]
}

function setProperty(node: Node, name: string, value: string): void {
  node.data = { ...node.data, hProperties: { ...node.data?.hProperties, [name]: value } }
}

const textOf = (node: Node): string => node.value ?? node.children?.map(textOf).join('') ?? ''

/** An anchor such as `section-the-problem`, or `section-the-problem-2` if that is taken. */
function anchorOf(text: string, taken: Map<string, number>): string {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const anchor = `section-${words.join('-').slice(0, 80)}`
  const count = (taken.get(anchor) ?? 0) + 1
  taken.set(anchor, count)
  return count === 1 ? anchor : `${anchor}-${count}`
}
