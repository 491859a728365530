import { useState } from 'react'
import classes from './company-logo.module.css'
import { Monogram } from './monogram.tsx'

interface CompanyLogoProps {
  /** The name of the company. */
  name: string
  /** Without a logo, the monogram takes its place. */
  url: string | null | undefined
  /** In pixels. */
  size?: number
}

/** The icon of a company's website, or a monogram. It decorates the name, so it has no text of its own. */
export function CompanyLogo({ name, url, size = 20 }: CompanyLogoProps) {
  const [failed, setFailed] = useState<string>()
  if (!url || failed === url) return <Monogram name={name} size={size} />
  return (
    <img
      className={classes.logo}
      src={url}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setFailed(url)}
    />
  )
}
