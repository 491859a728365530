/** The parts of a Markdown node (mdast) that are used here. */
interface Node {
  type: string
  depth?: number
  value?: string
  alt?: string | null
  children?: Node[]
  data?: { hProperties?: Record<string, string> }
  [field: string]: unknown
}

interface Options {
  /** A first heading with this text is removed. */
  title: string
  /** Shown for an image without alt text. */
  imageText: string
}

const BLOCKS = new Set(['paragraph', 'heading', 'listItem', 'blockquote', 'tableCell'])

/** A remark plugin: gives headings anchors, turns images into links, and sets the text direction of each block. */
export function remarkReport({ title, imageText }: Options): (tree: unknown) => void {
  return (document) => {
    const tree = document as Node
    const taken = new Map<string, number>()
    dropTitle(tree, title)
    visit(tree, false)

    function visit(node: Node, isInLink: boolean): void {
      if (BLOCKS.has(node.type)) setProperty(node, 'dir', 'auto')
      if (node.type === 'heading') setProperty(node, 'id', anchorOf(textOf(node), taken))
      const isLink = node.type === 'link' || node.type === 'linkReference'
      node.children = node.children?.map((child) => withoutImage(child, isInLink || isLink, imageText))
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

function withoutImage(node: Node, isInLink: boolean, imageText: string): Node {
  if (node.type !== 'image' && node.type !== 'imageReference') return node
  const text: Node = { type: 'text', value: node.alt || imageText }
  if (isInLink) return text
  return { ...node, type: node.type === 'image' ? 'link' : 'linkReference', children: [text] }
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
