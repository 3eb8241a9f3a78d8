// Fills the folder `driver` with the driver and the licences of the crates by others in it.
//
//   node build.js [LIBRARY [NOTICES]]    files to take; otherwise builds the library, and packaging/notices.py prints the notices
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const LIBRARY = 'libvk_quadrille.so';

/** Builds the driver of this repository, and returns the path of its library. */
function built() {
  const cargo = (output, ...args) =>
    execFileSync('cargo', args, { cwd: path('../..'), stdio: ['ignore', output, 'inherit'], maxBuffer: 1 << 28 });
  cargo('inherit', 'build', '--release', '--locked', '-p', 'quadrille-vulkan');
  const about = cargo('pipe', 'metadata', '--no-deps', '--locked', '--format-version', '1');
  return `${JSON.parse(about).target_directory}/release/${LIBRARY}`;
}

/** The loader resolves the path of the library from the folder of the manifest, and asks the driver for its version. */
const manifest = {
  file_format_version: '1.0.1',
  ICD: { library_path: `./${LIBRARY}`, library_arch: '64', api_version: '1.4.0' },
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
