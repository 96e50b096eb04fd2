# The command, to serve an index: docs/how-to/serve.md.
#
#   docker build --tag wherefrom .
#   docker run --rm --volume index:/index wherefrom index https://github.com/OWNER/REPOSITORY
#   docker run --detach --volume index:/index --publish 127.0.0.1:8765:8765 --env WHEREFROM_TOKEN=... wherefrom
#
# The steps are in release/container.sh, which release/try_container.sh tries without a container engine.

FROM python:3.13-slim-trixie AS base

FROM base AS build
WORKDIR /source
COPY . .
RUN release/container.sh build .

FROM base
RUN --mount=type=bind,from=build,source=/source/release,target=/mnt /mnt/container.sh prepare
COPY --from=build /opt/wherefrom /opt/wherefrom
USER wherefrom
# Within the container every address is one that others reach, so WHEREFROM_TOKEN has to be given.
ENV PATH=/opt/wherefrom/bin:$PATH WHEREFROM_INDEX=/index/code.wherefrom WHEREFROM_HOST=0.0.0.0 WHEREFROM_PORT=8765 WHEREFROM_CACHE=/index/clones
VOLUME /index
EXPOSE 8765
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8765/healthz', timeout=4)"]
ENTRYPOINT ["wherefrom"]
CMD ["serve"]
