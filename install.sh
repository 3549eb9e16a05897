#!/bin/sh
# Installs roborev:
#   curl -fsSL https://raw.githubusercontent.com/<owner>/<repository>/main/install.sh | sh   a release
#   ./install.sh --from-source                                                              what is checked out here
# No release is installed whose SHA-256 is not in its SHA256SUMS. PATH and shell profiles are never edited.
# The whole program is functions, and the last line calls one of them: a download that was cut short runs nothing.

main() {
	set -eu
	# There is no public release yet. Where releases are: owner/repository on GitHub.
	repository=${ROBOREV_RELEASES:-}
	base_url=${ROBOREV_UPDATE_URL:-}
	install_dir=${ROBOREV_INSTALL_DIR:-}
	version=
	archive=
	sums=
	source=
	dry_run=no
	read_arguments "$@"
	if [ "$help" = yes ]; then
		usage
		return 0
	fi
	if [ -z "$install_dir" ]; then
		[ -n "${HOME:-}" ] || fail "HOME is not set; say where to install with --dir"
		install_dir=$HOME/.local/bin
	fi
	case $install_dir in
	/*) ;;
	*) install_dir=$(pwd)/$install_dir ;;
	esac
	target=$install_dir/roborev
	if [ -d "$target" ]; then fail "$target is a directory"; fi

	scratch=
	staging=
	trap cleanup EXIT
	trap 'exit 130' HUP INT TERM
	if [ -n "$source" ]; then
		from_source
	else
		if [ -z "$archive" ]; then fetch_release; else name=$(basename -- "$archive"); fi
		verify "$archive" "$name" "$sums"
		if [ "$dry_run" = yes ]; then
			echo "would install roborev from $name (checksum verified) to $target"
			return 0
		fi
		stage
		tar -xzf "$archive" -C "$staging" roborev || fail "$name does not hold a roborev binary"
	fi
	[ "$dry_run" = yes ] || finish
}

read_arguments() {
	help=no
	while [ $# -gt 0 ]; do
		case $1 in
		--dry-run) dry_run=yes ;;
		--from-source) source=yes ;;
		--version | --base-url | --archive | --sums | --dir)
			[ $# -ge 2 ] && [ -n "$2" ] || usage_error "$1 needs a value"
			case $1 in
			--version) version=${2#v} ;;
			--base-url) base_url=$2 ;;
			--archive) archive=$2 ;;
			--sums) sums=$2 ;;
			--dir) install_dir=$2 ;;
			esac
			shift
			;;
		-h | --help) help=yes ;;
		*) usage_error "unknown argument $1" ;;
		esac
		shift
	done
	if [ -n "$sums" ] && [ -z "$archive" ]; then usage_error "--sums needs --archive"; fi
	if [ -n "$archive$version" ] && [ -n "$source" ]; then usage_error "--from-source goes with --dir and --dry-run only"; fi
	if [ -n "$archive" ] && [ -n "$version" ]; then usage_error "--archive and --version exclude each other"; fi
	if [ -n "$archive" ] && [ -z "$sums" ]; then sums=$(dirname -- "$archive")/SHA256SUMS; fi
}

usage() {
	cat <<'END'
Usage: install.sh [--version X.Y.Z] [--dir DIR] [--dry-run]
       install.sh --archive FILE [--sums FILE] [--dir DIR] [--dry-run]
       install.sh --from-source [--dir DIR] [--dry-run]

  --dir DIR        where to install; default $ROBOREV_INSTALL_DIR, else ~/.local/bin
  --version X.Y.Z  a certain release; default the latest
  --archive FILE   install this archive, without network
  --sums FILE      its checksum list; default SHA256SUMS beside it
  --from-source    build the checkout that this script lies in; Bun comes from PATH or, in the right version, from npm
  --base-url URL   take SHA256SUMS and the archive from this address (a mirror); default $ROBOREV_UPDATE_URL
  --dry-run        do everything but install; --from-source builds nothing either
END
}

fail() {
	echo "install.sh: $1" >&2
	exit 1
}

usage_error() {
	echo "install.sh: $1" >&2
	usage >&2
	exit 2
}

cleanup() {
	if [ -n "$scratch" ]; then rm -rf "$scratch"; fi
	if [ -n "$staging" ]; then rm -rf "$staging"; fi
}

# Leaves the archive of this machine in $archive, its name in $name, and the checksum list in $sums.
fetch_release() {
	scratch=$(mktemp -d "${TMPDIR:-/tmp}/roborev-install.XXXXXX") || fail "cannot create a temporary directory"
	platform=$(detect_platform)
	if [ -z "$base_url" ]; then
		[ -n "$repository" ] ||
			fail "there is no public release yet: in a checkout use --from-source, else --archive FILE, or --base-url URL"
		base_url=https://github.com/$repository/releases/latest/download
		if [ -n "$version" ]; then base_url=https://github.com/$repository/releases/download/v$version; fi
	fi
	case $base_url in
	https://* | http://127.0.0.1[:/]* | http://localhost[:/]* | "http://[::1]"[:/]*) ;;
	*) fail "$base_url is no https address" ;;
	esac
	sums=$scratch/SHA256SUMS
	download "$base_url/SHA256SUMS" "$sums"
	name=$(archive_name "$sums" "$platform")
	case $name in
	"roborev_${version:-*}_"*) ;;
	*) [ -z "$version" ] || fail "$base_url has $name, not version $version" ;;
	esac
	archive=$scratch/$name
	echo "downloading $base_url/$name"
	download "$base_url/$name" "$archive"
}

# linux_amd64, linux_arm64_musl, linux_amd64_baseline, darwin_arm64, … as release archives are named.
detect_platform() {
	machine=$(uname -m)
	case $(uname -s) in
	Linux) system=linux ;;
	Darwin)
		system=darwin
		# Under Rosetta uname tells x86_64 on an arm64 machine.
		if [ "$(sysctl -n hw.optional.arm64 2>/dev/null || echo 0)" = 1 ]; then machine=arm64; fi
		;;
	*) fail "there is no binary for $(uname -s); on Windows use WSL" ;;
	esac
	case $machine in
	x86_64 | amd64) machine=amd64 ;;
	aarch64 | arm64) machine=arm64 ;;
	*) fail "there is no binary for $machine" ;;
	esac
	libc=
	if [ "$system" = linux ] && is_musl; then libc=_musl; fi
	cpu=
	if [ "$machine" = amd64 ] && ! has_avx2 "$system"; then cpu=_baseline; fi
	echo "${system}_$machine$libc$cpu"
}

is_musl() {
	if command -v ldd >/dev/null 2>&1; then
		(ldd --version 2>&1 || true) | grep -qi musl
	else
		for loader in /lib/ld-musl-*; do [ -e "$loader" ] && return 0; done
		return 1
	fi
}

has_avx2() {
	case $1 in
	darwin) [ "$(sysctl -n hw.optional.avx2_0 2>/dev/null || echo 0)" = 1 ] ;;
	*) grep -qw avx2 /proc/cpuinfo 2>/dev/null ;;
	esac
}

download() {
	if command -v curl >/dev/null 2>&1; then
		case $1 in
		https://*) curl --proto '=https' --tlsv1.2 -fsSL --retry 3 -o "$2" "$1" || fail "cannot download $1" ;;
		*) curl -fsSL --retry 3 -o "$2" "$1" || fail "cannot download $1" ;;
		esac
	elif command -v wget >/dev/null 2>&1; then
		https_only=
		case $1 in https://*) if wget --help 2>&1 | grep -q https-only; then https_only=--https-only; fi ;; esac
		wget -q $https_only -O "$2" "$1" || fail "cannot download $1"
	else
		fail "curl or wget is needed"
	fi
}

# The one archive of this platform that the checksum list names.
archive_name() {
	found=$(awk -v end="_$2.tar.gz" '{ name = $2; sub(/^\*/, "", name)
		if (name ~ /^roborev_[0-9][A-Za-z0-9.-]*_[a-z0-9_]+\.tar\.gz$/ &&
			substr(name, index(name, "_" "'"${2%%_*}"'_")) == end) print name }' "$1")
	case $found in
	'') fail "this release has no binary for $2" ;;
	*'
'*) fail "SHA256SUMS names several archives for $2" ;;
	esac
	echo "$found"
}

verify() {
	[ -f "$1" ] || fail "there is no file $1"
	[ -f "$3" ] || fail "there is no checksum list $3"
	wanted=$(awk -v want="$2" '{ name = $2; sub(/^\*/, "", name); if (name == want) print tolower($1) }' "$3")
	case $wanted in
	'') fail "$3 has no checksum of $2; nothing was installed" ;;
	*[!0-9a-f]*) fail "$3 does not have exactly one checksum of $2; nothing was installed" ;;
	esac
	[ ${#wanted} -eq 64 ] || fail "$3 has no SHA-256 of $2; nothing was installed"
	[ "$(sha256 "$1")" = "$wanted" ] || fail "the checksum of $2 is wrong: it is damaged or was changed; nothing was installed"
}

sha256() {
	if command -v sha256sum >/dev/null 2>&1; then
		sha256sum <"$1" | cut -d ' ' -f 1
	elif command -v shasum >/dev/null 2>&1; then
		shasum -a 256 <"$1" | cut -d ' ' -f 1
	elif command -v openssl >/dev/null 2>&1; then
		openssl dgst -sha256 -r <"$1" | cut -d ' ' -f 1
	else
		fail "sha256sum, shasum or openssl is needed to verify the download"
	fi
}

# Builds this checkout with the Bun that its package.json asks for.
from_source() {
	checkout=$(dirname -- "$0")
	[ -f "$checkout/build.ts" ] || checkout=.
	checkout=$(cd "$checkout" && pwd)
	[ -f "$checkout/build.ts" ] || fail "--from-source works in a checkout of roborev: run ./install.sh there"
	wanted=$(sed -n 's/.*"packageManager": *"bun@\([0-9.]*\)".*/\1/p' "$checkout/package.json")
	[ -n "$wanted" ] || fail "$checkout/package.json does not say which Bun builds it"
	if [ "$(bun --version 2>/dev/null || true)" = "$wanted" ]; then
		set -- bun
	elif command -v npx >/dev/null 2>&1; then
		set -- npx -y "bun@$wanted"
	else
		fail "Bun $wanted, or npx to get it, is needed to build roborev"
	fi
	if [ "$dry_run" = yes ]; then
		echo "would build $checkout with $* and install it to $target"
		return 0
	fi
	(cd "$checkout" && "$@" run build) || fail "the build failed; nothing was installed"
	stage
	cp "$checkout/dist/roborev" "$staging/roborev"
}

# A directory beside the target, so that a rename is all that is left to do.
stage() {
	mkdir -p "$install_dir" || fail "cannot create $install_dir"
	staging=$(mktemp -d "$install_dir/.roborev-install.XXXXXX") || fail "cannot write to $install_dir"
}

# Tries the new binary where it is staged, moves it over the old one in a single step, and says what to do next.
finish() {
	binary=$staging/roborev
	if [ ! -f "$binary" ] || [ -L "$binary" ]; then fail "${name:-the build} does not hold a roborev binary"; fi
	chmod 755 "$binary"
	if [ "$(uname -s)" = Darwin ]; then
		xattr -d com.apple.quarantine "$binary" 2>/dev/null || true # absent unless a browser fetched the archive
		codesign --verify "$binary" 2>/dev/null || codesign --sign - --force "$binary"
	fi
	new=$("$binary" version) || fail "the new binary does not run on this machine; nothing was replaced"
	mv -f "$binary" "$target" || fail "cannot write $target"
	echo "installed $new to $target"

	command=roborev
	first=$(command -v roborev 2>/dev/null || true)
	if [ "$first" != "$target" ]; then
		command=$target
		case :${PATH:-}: in
		*":$install_dir:"*) echo "note: PATH finds $first first" ;;
		*) echo "note: $install_dir is not on your PATH" ;;
		esac
	fi
	echo "next, in a git repository:"
	echo "  $command init"
	echo "  $command agent-hook install"
}

{ main "$@"; }
