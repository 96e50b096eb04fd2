module Api
  module V1
    class CanalsController < ApplicationController
      rescue_from ActiveRecord::RecordNotFound, with: :not_found

      def index
        render json: Canal.all
      end

      def create
        canal = Canal.new(params.require(:canal).permit(:name, :depth))
        if canal.save
          render json: canal, status: :created
        else
          render json: { errors: canal.errors.full_messages }, status: :unprocessable_entity
        end
      end

      def not_found
        render json: { error: 'Not found' }, status: :not_found
      end
    end
  end
end
