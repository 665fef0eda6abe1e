import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createFileHandler, type DocsOptions } from 'contract-server';
import { Router } from 'express';

/** The page's files, and what they are; there is no other way to a file than by one of these names. */
const FILES = [
  ['swagger-ui.css', '../ui/', 'text/css'],
  ['page.css', '../page/', 'text/css'],
  ['swagger-ui-bundle.js', '../ui/', 'text/javascript'],
  ['page.js', '../page/', 'text/javascript'],
  ['favicon-32x32.png', '../ui/', 'image/png'],
] as const;

/** What the page may do: run its own scripts and call its own origin. Its style sheet has pictures in it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * `GET /docs`: the contract as a page, by Swagger UI, all of it from the service's own origin; for the
 * option `createDocs` of `createContractApp`.
 */
export async function createDocs({ title, contractUrl }: DocsOptions): Promise<Router> {
  const files = await Promise.all(
    FILES.map(async ([name, folder, mediaType]) => ({
      name,
      mediaType,
      content: await readFile(new URL(folder + name, import.meta.url)),
    })),
  );
  const digest = createHash('sha256');
  for (const { content } of files) digest.update(content);
  // Another version has other addresses, so each can be kept for ever.
  const folder = `docs/${digest.digest('hex').slice(0, 16)}`;

  const router = Router({ caseSensitive: true, strict: true });
  router.all(
    '/docs',
    createFileHandler(pageOf(title, contractUrl, folder), {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': POLICY,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
    }),
  );
  for (const { name, mediaType, content } of files) {
    router.all(
      `/${folder}/${name}`,
      createFileHandler(content, {
        'Content-Type': mediaType,
        'Cache-Control': 'public, max-age=31536000, immutable',
      }),
    );
  }
  return router;
}

/** All addresses are relative, so that the page works behind a proxy that has it at another path. */
function pageOf(title: string, contractUrl: string, folder: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escape(title)}: API reference</title>
    <link rel="icon" href="${folder}/favicon-32x32.png">
    <link rel="stylesheet" href="${folder}/swagger-ui.css">
    <link rel="stylesheet" href="${folder}/page.css">
    <script defer src="${folder}/swagger-ui-bundle.js"></script>
    <script defer src="${folder}/page.js"></script>
  </head>
  <body>
    <noscript>This page needs JavaScript. The contract is <a href="${escape(contractUrl)}">${escape(contractUrl)}</a>.</noscript>
    <main id="docs" data-contract="${escape(contractUrl)}"></main>
  </body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
