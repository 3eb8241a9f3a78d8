// Fills the folder `driver` with the driver and the licences of the crates by others in it.
//
//   node build.js [LIBRARY [NOTICES]]    files to take; otherwise builds the library, and packaging/notices.py prints the notices
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const LIBRARY = 'libvk_quadrille.so';

/** Builds the driver of this repository, and returns the path of its library, which depends on cargo's settings. */
function built() {
  const args = ['build', '--release', '--locked', '-p', 'quadrille-vulkan', '--message-format=json-render-diagnostics'];
  const options = { cwd: path('../..'), stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 28, encoding: 'utf8' };
  const messages = execFileSync('cargo', args, options).trim().split('\n').map((line) => JSON.parse(line));
  return messages.flatMap(({ filenames = [] }) => filenames).find((file) => basename(file) === LIBRARY);
}

/** The loader resolves the path of the library from the folder of the manifest, and asks the driver for its version. */
const manifest = {
  file_format_version: '1.0.1',
  ICD: { library_path: `./${LIBRARY}`, library_arch: '64', api_version: '1.4.360' },
};

/** Licences of the crates by others that the driver contains. */
const printed = () => execFileSync('python3', [path('../../packaging/notices.py'), 'quadrille-vulkan'], { maxBuffer: 1 << 28 });

const [library = built(), notices] = process.argv.slice(2);
const licences = notices ? readFileSync(notices) : printed();
rmSync(path('driver'), { recursive: true, force: true });
mkdirSync(path('driver'));
copyFileSync(library, path(`driver/${LIBRARY}`));
writeFileSync(path('driver/NOTICES.txt'), licences);
writeFileSync(path('driver/quadrille_icd.json'), `${JSON.stringify(manifest, null, 2)}\n`);
