import { type Kysely, sql } from 'kysely'

/**
 * Files and their versions. The versions of a file stay while it is in the trash, as its links do, so they have no foreign key.
 * A pending upload is an object that no version refers to yet: if the upload fails or the process dies, the object is deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table files (
      id text collate "C" primary key,
      name text not null,
      version int not null,
      visibility text collate "C" not null,
      uploaded_by text collate "C",
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`create index files_by_uploader on files (uploaded_by, id)`.execute(db)
  await sql`
    create table file_versions (
      file_id text collate "C" not null,
      version int not null,
      object_key text collate "C" not null unique,
      type text collate "C" not null,
      size bigint not null,
      sha256 text collate "C" not null,
      uploaded_by text collate "C",
      uploaded_at timestamptz not null,
      scan_state text collate "C" not null,
      scan_detail text,
      text_state text collate "C" not null,
      text_detail text,
      pages int,
      details jsonb,
      primary key (file_id, version)
    )`.execute(db)
  await sql`create index file_versions_by_uploader on file_versions (uploaded_by)`.execute(db)
  await sql`
    create index file_versions_to_read on file_versions (uploaded_at) where text_state = 'pending'`.execute(
    db,
  )
  await sql`
    create index file_versions_to_scan on file_versions (uploaded_at) where scan_state = 'pending'`.execute(
    db,
  )
  await sql`
    create table pending_uploads (
      object_key text collate "C" primary key,
      created_at timestamptz not null default now(),
      abandoned boolean not null default false
    )`.execute(db)
  // Files with their present content.
  await sql`
    create view current_files as
      select files.*, content.object_key, content.type, content.size, content.sha256, content.uploaded_at,
        content.uploaded_by as content_uploaded_by,
        content.scan_state, content.scan_detail, content.text_state, content.text_detail, content.pages, content.details
      from files join file_versions content on content.file_id = files.id and content.version = files.version`.execute(
    db,
  )
}
