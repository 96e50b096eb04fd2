while [[ $# -gt 0 ]]; do
    key="$1"
    case $key in
        -c|--crop)
            CROP="$2"
            shift
            shift
            ;;
        -f|--field)
            FIELD="$2"
            shift
            shift
            ;;
        --dry-run)
            DRY_RUN=true
            shift
            ;;
        *)
            echo "Unknown option: $1"
            exit 1
            ;;
    esac
done
